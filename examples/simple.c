/*
 * simple.c - the least that counts: memory reads of one second, through PAPI.
 *
 *	cc simple.c $(pkg-config --cflags --libs papi-uncore) -o simple
 */
#include <papi.h>
#include <stdio.h>
#include <unistd.h>

static int failed(const char *what, int code)
{
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	return 1;
}

int main(void)
{
	int set = PAPI_NULL, code;
	long long lines;

	code = PAPI_library_init(PAPI_VER_CURRENT);
	if (code != PAPI_VER_CURRENT)
		return failed("PAPI_library_init", code);
	code = PAPI_create_eventset(&set);
	if (code == PAPI_OK)
		code = PAPI_add_named_event(set, "uncore:::UNC_M_CAS_COUNT:RD");
	if (code == PAPI_OK)
		code = PAPI_start(set);
	if (code != PAPI_OK)
		return failed("uncore:::UNC_M_CAS_COUNT:RD (UNCORE_VERBOSE=1 tells why)", code);
	sleep(1);
	code = PAPI_stop(set, &lines);
	if (code != PAPI_OK)
		return failed("PAPI_stop", code);
	/* "SIMULATED ..." unless this computer's own counters were read */
	printf("%s\n", PAPI_get_component_info(PAPI_get_component_index("uncore"))->description);
	printf("%lld lines of 64 bytes were read from memory in one second\n", lines);
	return 0;
}
