/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.c - the event that a control selects, as a signal.
 */
#include "sim/model/rows.h"

static const struct sim_event *find_row(const struct sim_events *events, unsigned code)
{
	for (unsigned i = 0; i < events->n; i++)
		if (events->rows[i].code == code)
			return &events->rows[i];
	return NULL;
}

static const struct sim_event *find(const struct sim_events *events, unsigned code)
{
	const struct sim_event *row = find_row(events, code);

	if (row != NULL || events->like == NULL)
		return row;
	for (unsigned i = 0; events->unlike != NULL && events->unlike[i] != 0; i++)
		if (events->unlike[i] == code)
			return NULL;
	return find_row(events->like, code);
}

static double stay_ns(const struct sim_traffic *traffic, uint8_t stay)
{
	switch (stay) {
	case STAY_INGRESS:
		return traffic->ingress_ns;
	case STAY_RPQ:
		return traffic->rpq_ns;
	case STAY_WPQ:
		return traffic->wpq_ns;
	case STAY_LINK:
		return traffic->link_ns;
	default:
		return 0;
	}
}

/* Cores counted by a PCU: those of its die, if each die has one; I/O dies have no cores. */
static unsigned cores_of(const struct sim_box *box)
{
	const unsigned dies = box->sim->platform->dies, cores = box->sim->cores;

	if (dies == 0)
		return cores;
	return box->index < dies ? (cores + dies - 1 - box->index) / dies : 0;
}

static double cores_in(const struct sim_box *box, uint8_t flow)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	double share = flow == CORES_C0   ? traffic->core_c0
		       : flow == CORES_C3 ? traffic->core_c3
					  : traffic->core_c6;

	return share * cores_of(box) * traffic->pclk_hz;
}

/* A flow at this box, per second. */
static double flow_at(const struct sim_box *box, uint8_t flow, const double flows[N_FLOWS],
		      uint64_t control, uint64_t filter)
{
	double share = sim_weight(box);

	switch (flow) {
	case CLOCK:
		return box->kind->clock_hz(box);
	case HOT:
		return box->kind->clock_hz(box) * box->sim->traffic[box->package].thermal;
	case RX_IDLE: /* the rest after eight flits per line or NCB, and a header each */
		return sim_link_flits(box) -
		       share * (8 * (flows[RX_DRS] + flows[NCB_IN]) + flows[RX_PACKETS]);
	case TX_IDLE:
		return sim_link_flits(box) -
		       share * (8 * (flows[TX_DRS] + flows[NCB_OUT]) + flows[TX_PACKETS]);
	case TOR:
		return share * sim_select_tor(box, control, filter, flows);
	case LOOKUP:
		return share * sim_select_lookup(box, control, filter, flows);
	case VICTIMS:
		return share * sim_select_victims(box, control, filter);
	case BAND:
		return sim_select_band(box, control, filter);
	case CORES:
		return sim_select_cores(box, control);
	case CTO:
		return share * sim_select_cto(box, flows);
	case RX_FLITS:
	case TX_FLITS:
		return sim_select_flits(box, control, flow == RX_FLITS, share, flows);
	case PORTS_IN:
		return share * flows[IO_WRITE] * sim_select_ports(box, control);
	case DATA_IN:
		return share * flows[IO_WRITE_DATA] * sim_select_ports(box, control);
	case PORTS_OUT:
		return share * flows[IO_READ] * sim_select_ports(box, control);
	case CAS:
		return share * sim_select_cas(control, flows);
	case M2M_READS:
		return share * flows[MEM_READS] * sim_select_m2m_reads(control);
	case M2M_WRITES:
		return share * flows[MEM_WRITES] * sim_select_m2m_writes(control);
	case B2CMI_READS:
		return share * flows[MEM_READS] * sim_select_b2cmi_reads(control);
	case B2CMI_WRITES:
		return share * flows[MEM_WRITES] * sim_select_b2cmi_writes(control);
	case PAGES:
		return share * sim_select_pages(control, flows);
	case CORES_C0:
	case CORES_C3:
	case CORES_C6:
		return cores_in(box, flow);
	default:
		return share * flows[flow];
	}
}

static bool known(const struct sim_codes *codes, unsigned code)
{
	return (codes->known[code / 64] >> code % 64 & 1) != 0;
}

static const struct sim_limit *limit(const struct sim_codes *codes, unsigned code)
{
	for (unsigned i = 0; i < codes->n_limits; i++)
		if (codes->limits[i].low <= code && code <= codes->limits[i].high)
			return &codes->limits[i];
	return NULL;
}

/* A number from 1 to 64 that depends only on event and umask bit. */
static double mix(unsigned code, unsigned bit)
{
	unsigned hash = (code + 1) * 2654435761U + (bit + 1) * 2246822519U;

	hash = (hash ^ hash >> 15) * 3266489917U;
	return 1 + (hash >> 7) % 3989 / 64.0;
}

/*
 * Events without a row: a share of the cycles that grows with each umask bit and
 * differs between codes, umasks, boxes and packages.
 */
static double plain_mean(const struct sim_box *box, unsigned code, uint64_t umask, double first)
{
	double boxes = sim_box_count(box->sim, box->kind);
	double parts = first;

	for (unsigned bit = 0; umask >> bit != 0 && bit < 64; bit++)
		if ((umask >> bit & 1) != 0)
			parts += mix(code, bit);
	return parts / 4096 * sim_weight(box) * boxes * (1 - 0.0713 * box->package);
}

/* The umask with its extension. */
static uint64_t whole_umask(const struct sim_box *box, uint64_t control)
{
	/* If the threshold extends into the upper dword, the extension starts after it. */
	unsigned shift = box->kind->threshold_mask > 0xff ? 36 : 32;

	if (box->kind->occ_invert != 0) /* PCU: no umask */
		return 0;
	return (control >> 8 & 0xff) | control >> shift << 8;
}

static bool plain_signal(const struct sim_box *box, unsigned code, uint64_t control,
			 struct sim_signal *out)
{
	const struct sim_codes *codes = box->kind->events->codes;
	const struct sim_limit *row;

	if (codes == NULL || !known(codes, code))
		return false;
	row = limit(codes, code);
	out->max = row != NULL ? row->max : 1;
	out->mean = out->max * plain_mean(box, code, whole_umask(box, control), mix(code, 64));
	out->shape = out->max > 4 ? SIM_QUEUE : SIM_PULSE;
	out->occupancy = out->max > 4;
	return true;
}

/* The rates of umask bits are summed; bits without a row have a small rate if the event exists. */
static double sum_parts(const struct sim_box *box, const struct sim_event *event, uint64_t control,
			uint64_t filter)
{
	unsigned umask = (unsigned)(control >> 8) & 0xff;
	unsigned left = box->kind->events->codes != NULL ? umask : 0;
	double flows[N_FLOWS];
	double sum = 0;

	sim_flows(box->sim, box->package, flows);
	for (unsigned i = 0; i < EVENT_PARTS && event->parts[i].flow != FLOW_NONE; i++) {
		const struct sim_part *part = &event->parts[i];

		left &= part->umask == 0 ? 0 : ~(unsigned)part->umask;
		if (part->umask == 0 || (part->umask & umask) != 0)
			sum += part->factor * flow_at(box, part->flow, flows, control, filter);
	}
	return sum + plain_mean(box, event->code, left, 0) * box->kind->clock_hz(box);
}

static void row_signal(const struct sim_box *box, const struct sim_event *event, uint64_t control,
		       uint64_t filter, struct sim_signal *out)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	bool busy = event->shape == BUSY;
	double mean = sum_parts(box, event, control, filter) / out->clock_hz;

	if (event->stay != STAY_NONE)
		mean *= stay_ns(traffic, event->stay) * 1e-9 * out->clock_hz;
	if (busy)
		mean = sim_share_at_least(mean, event->max, 1);
	out->mean = mean;
	out->max = busy ? 1 : event->max;
	out->shape = busy ? SIM_LEVEL : (enum sim_shape)event->shape;
	out->occupancy = event->shape == QUEUE;
	out->clock = event->parts[0].flow == CLOCK;
}

/* Counters that can count it: from sim_codes if it exists, else from the row. */
static unsigned allowed(const struct sim_box *box, const struct sim_event *event, unsigned code)
{
	const struct sim_codes *codes = box->kind->events->codes;
	const struct sim_limit *row = codes != NULL ? limit(codes, code) : NULL;

	if (row != NULL)
		return row->counters;
	return codes != NULL || event == NULL ? ~0U : event->counters;
}

bool sim_row_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		    struct sim_signal *out)
{
	const struct sim_events *events = box->kind->events;
	unsigned code = (unsigned)(control & 0xff) | ((unsigned)(control >> 21) & 1) << 8;
	const struct sim_event *event = find(events, code);

	*out = (struct sim_signal){.clock_hz = box->kind->clock_hz(box)};
	if (out->clock_hz <= 0)
		return false;
	if (event != NULL && (events->codes == NULL || known(events->codes, code)))
		row_signal(box, event, control, filter, out);
	else if (!plain_signal(box, code, control, out))
		return false;
	out->allowed = allowed(box, event, code);
	out->companion = box->kind->companion != 0 && code == box->kind->companion;
	if (box->kind->layout != NULL)
		out->mean *= sim_select_tid(box, control, filter);
	return true;
}
