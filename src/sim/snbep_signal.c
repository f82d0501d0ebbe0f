/*
 * snbep_signal.c - the event that a control selects on SNB-EP, as a signal.
 */
#include "snbep.h"

static const struct sim_event *find(const struct sim_events *events, unsigned code)
{
	for (unsigned i = 0; i < events->n; i++)
		if (events->rows[i].code == code)
			return &events->rows[i];
	return NULL;
}

/* A box's share of a package total: CBo n of N gets 1/N give or take 3 % per step. */
static double weight(const struct sim_box *box)
{
	const struct sim_events *events = box->kind->events;
	double n = box->sim->cores;

	if (events->weights != NULL)
		return events->weights[box->index];
	return (1 + 0.03 * (box->index - (n - 1) / 2)) / n;
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

/* A flow at this box, per second. */
static double flow_at(const struct sim_box *box, uint8_t flow, const double flows[N_FLOWS],
		      uint64_t control, uint64_t filter)
{
	double share = weight(box);

	switch (flow) {
	case CLOCK:
		return box->kind->clock_hz(box);
	case RX_IDLE: /* two flits per cycle, less eight per line or NCB and a header each */
		return 2 * box->kind->clock_hz(box) -
		       share * (8 * (flows[RX_DRS] + flows[NCB_IN]) + flows[RX_PACKETS]);
	case TX_IDLE:
		return 2 * box->kind->clock_hz(box) -
		       share * (8 * (flows[TX_DRS] + flows[NCB_OUT]) + flows[TX_PACKETS]);
	case TOR:
		return share * sim_snbep_tor(box, control, filter);
	case LOOKUP:
		return share * sim_snbep_lookup(box, control, filter, flows);
	case VICTIMS:
		return share * sim_snbep_victims(box, control, filter);
	case BAND:
		return sim_snbep_band(box, control, filter);
	case CORES:
		return sim_snbep_cores(box, control);
	case CTO:
		return share * sim_snbep_cto(box, flows);
	default:
		return share * flows[flow];
	}
}

/* The bits of a umask add up. */
static double sum_parts(const struct sim_box *box, const struct sim_event *event, uint64_t control,
			uint64_t filter)
{
	unsigned umask = (unsigned)(control >> 8) & 0xff;
	double flows[N_FLOWS];
	double sum = 0;

	sim_snbep_flows(box->sim, box->package, flows);
	for (unsigned i = 0; i < EVENT_PARTS && event->parts[i].flow != FLOW_NONE; i++) {
		const struct sim_part *part = &event->parts[i];

		if (part->umask == 0 || (part->umask & umask) != 0)
			sum += part->factor * flow_at(box, part->flow, flows, control, filter);
	}
	return sum;
}

bool sim_snbep_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		      struct sim_signal *out)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	unsigned code = (unsigned)(control & 0xff) | ((unsigned)(control >> 21) & 1) << 8;
	const struct sim_event *event = find(box->kind->events, code);
	double clock = box->kind->clock_hz(box);
	double mean;

	if (event == NULL || clock <= 0)
		return false;
	mean = sum_parts(box, event, control, filter) / clock;
	if (event->stay != STAY_NONE)
		mean *= stay_ns(traffic, event->stay) * 1e-9 * clock;
	if (event->shape == BUSY)
		mean = sim_share_at_least(mean, event->max, 1);
	*out = (struct sim_signal){
		.mean = mean,
		.clock_hz = clock,
		.max = event->shape == BUSY ? 1 : event->max,
		.allowed = event->counters,
		.shape = event->shape == BUSY ? SIM_LEVEL : (enum sim_shape)event->shape,
		.occupancy = event->shape == QUEUE,
		.companion = box->kind->narrow && code == COUNTER0_OCCUPANCY,
	};
	/* Only the CBo filter has a TID field. */
	if (box->kind->narrow)
		out->mean *= sim_snbep_tid_share(box, control, filter);
	return true;
}
