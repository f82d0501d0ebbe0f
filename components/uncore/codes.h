/* codes.h - what uncore.h's codes are in PAPI. */
#ifndef UNCORE_CODES_H
#define UNCORE_CODES_H

int papi_code(int code);

#endif
