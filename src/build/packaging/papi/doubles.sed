# SPDX-License-Identifier: BSD-3-Clause
# doubles.sed - lets PAPI_accum() and the high-level API refuse events whose values are doubles,
# in papi_internal.c, papi_internal.h, papi.c and high-level/papi_hl.c of PAPI's src.

# ---- papi_internal.c ----
/^struct native_event_info {/,/^};/ {
	/^ *char \*evt_name;/a\
  int data_type;  // of its values, or -1 if it was not requested yet
}
/^_papi_hwi_add_native_event/,/^}/ {
	/ntv_idx=ntv_idx;/a\
  _papi_native_events[num_native_events].data_type=-1;
}
/^\/\* The native event equivalent of PAPI_get_event_info \*\//i\
/* Components compute an event's information each time, so its data type is stored. */\
static int\
is_double( int EventCode )\
{\
	PAPI_event_info_t info;\
	int index = EventCode & PAPI_NATIVE_AND_MASK, data_type;\
\
	if ( !IS_NATIVE(EventCode) || index >= num_native_events )\
		return 0;\
	data_type = _papi_native_events[index].data_type;\
	if ( data_type < 0 ) {\
		if ( _papi_hwi_get_native_event_info( ( unsigned int ) EventCode, &info ) != PAPI_OK )\
			return 0;\
		data_type = info.data_type;\
		_papi_native_events[index].data_type = data_type;\
	}\
	return data_type == PAPI_DATATYPE_FP64;\
}\
\
int\
_papi_hwi_has_doubles( EventSetInfo_t *ESI )\
{\
	int i, found;\
\
	for ( i = 0, found = 0; found < ESI->NumberOfEvents; i++ ) {\
		int code = ( int ) ESI->EventInfoArray[i].event_code;\
\
		if ( code == PAPI_NULL )\
			continue;\
		if ( is_double( code ) )\
			return 1;\
		found++;\
	}\
	return 0;\
}\


# ---- papi_internal.h ----
/^int _papi_hwi_query_native_event(/i\
/** Whether the value of an event of the set is a double, which cannot be added as an integer */\
int _papi_hwi_has_doubles( EventSetInfo_t *ESI );

# ---- papi.c ----
/@class PAPI_accum/,/^PAPI_accum/ {
	/@retval PAPI_ENOEVST/i\
 *	@retval PAPI_ENOSUPP\
 *		The values of an event are doubles (PAPI_DATATYPE_FP64).
}
/^PAPI_accum(/,/^}/ {
	/if ( ESI->state & PAPI_RUNNING )/i\
	if ( _papi_hwi_has_doubles( ESI ) )\
		papi_return( PAPI_ENOSUPP );\

}

# ---- high-level/papi_hl.c ----
/^_internal_hl_checkCounter ( char\* counter )$/,/^}/ {
	s/^   int retval;/&\
   PAPI_event_info_t info;/
	/PAPI_cleanup_eventset (EventSet)/i\
   if ( PAPI_get_event_info( eventcode, &info ) == PAPI_OK &&\
        info.data_type == PAPI_DATATYPE_FP64 ) {\
      fprintf(stderr, "PAPI-HL Warning: \\"%s\\" is not recorded, because its values are doubles.\\n", counter);\
      PAPI_cleanup_eventset( EventSet );\
      PAPI_destroy_eventset( &EventSet );\
      return ( PAPI_ENOSUPP );\
   }\

}
