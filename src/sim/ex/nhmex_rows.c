/* SPDX-License-Identifier: BSD-3-Clause */
/* nhmex_rows.c - Xeon 7500 and E7: events whose rate is in the tables of events. */
#include "sim/ex/nhmex_events.h"

static const struct nhmex_rows *const rows_of[NHMEX_TYPES] = {
	[NHMEX_U] = &sim_nhmex_uevents, [NHMEX_C] = &sim_nhmex_cevents,
	[NHMEX_B] = &sim_nhmex_bevents, [NHMEX_S] = &sim_nhmex_sevents,
	[NHMEX_M] = &sim_nhmex_mevents, [NHMEX_W] = &sim_nhmex_wevents,
};

static const struct nhmex_event *find(const struct sim_box *box, unsigned code, unsigned counter)
{
	const struct nhmex_rows *rows = rows_of[sim_nhmex_type(box)];
	bool by_counter = sim_nhmex_type(box) == NHMEX_B;
	uint8_t other = sim_nhmex_is_wsm(box->sim) ? NX_ONLY_NHM : NX_ONLY_WSM;

	for (unsigned i = 0; i < rows->n; i++) {
		const struct nhmex_event *row = &rows->rows[i];

		if (row->code == code && row->models != other &&
		    (!by_counter || row->counter == counter))
			return row;
	}
	return NULL;
}

/* C-Box n of N gets 1/N give or take 3 % per step, the first of two boxes 53 %. */
double sim_nhmex_weight(const struct sim_box *box)
{
	double n = box->sim->cores;

	switch (sim_nhmex_type(box)) {
	case NHMEX_C:
		return (1 + 0.03 * (box->index - (n - 1) / 2)) / n;
	case NHMEX_U:
	case NHMEX_W:
		return 1;
	default:
		return box->index == 0 ? 0.5317 : 0.4683;
	}
}

/*
 * Every compared bit reduces the rate, a one more than a zero and a
 * high bit more than a low one; the result is never 0.
 */
double sim_nhmex_match(uint64_t match, uint64_t mask)
{
	double sum = 1;

	for (unsigned i = 0; i < 64; i++)
		if ((mask >> i & 1) != 0)
			sum += 1 + i / 64.0 + (double)(match >> i & 1);
	return 1 / sum;
}

/* The part of a flow that the umask selects. */
static double selected(const struct sim_box *box, const struct nhmex_part *part, unsigned umask)
{
	unsigned bits = part->umask;
	unsigned present = 0xff;
	double sum = 0, whole = 0;

	if (bits == 0)
		return 1;
	/* The Xeon 7500 has four C-Boxes per S-Box, not five. */
	if (sim_nhmex_type(box) == NHMEX_S && bits == 0x1f && !sim_nhmex_is_wsm(box->sim))
		bits = 0x0f;
	if (sim_nhmex_type(box) == NHMEX_W)
		present = (1U << box->sim->cores) - 1;
	for (unsigned i = 0, nth = 2; i < 8; i++) {
		if ((bits >> i & 1) == 0)
			continue;
		whole += nth;
		sum += (umask & present) >> i & 1 ? nth : 0;
		nth++;
	}
	return sum / whole;
}

static double rate(const struct sim_box *box, const struct nhmex_event *event, unsigned umask)
{
	double flows[N_NHMEX_FLOWS];
	double sum = 0;

	sim_nhmex_flows(box->sim, box->package, flows);
	for (unsigned i = 0; i < NHMEX_PARTS && event->parts[i].flow != NX_NONE; i++) {
		const struct nhmex_part *part = &event->parts[i];
		double whole = part->flow == NX_CLOCK ? box->kind->clock_hz(box)
						      : sim_nhmex_weight(box) * flows[part->flow];

		sum += part->factor * whole * selected(box, part, umask);
	}
	return sum;
}

static double stay_ns(const struct sim_box *box, uint8_t stay)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];

	if (stay == NX_INGRESS)
		return traffic->ingress_ns;
	if (stay == NX_LINK)
		return traffic->link_ns;
	return traffic->local_ns * (1 - traffic->remote_reads) +
	       traffic->remote_ns * traffic->remote_reads;
}

bool sim_nhmex_row(const struct sim_box *box, unsigned code, unsigned umask, unsigned counter,
		   struct sim_signal *out)
{
	const struct nhmex_event *event = find(box, code, counter);
	double clock = box->kind->clock_hz(box);
	double mean;
	bool busy;

	if (event == NULL || clock <= 0)
		return false;
	busy = event->shape == NX_BUSY;
	mean = rate(box, event, umask) / clock;
	if (event->stay != NX_NO_STAY)
		mean *= stay_ns(box, event->stay) * 1e-9 * clock;
	*out = (struct sim_signal){
		.mean = busy ? sim_share_at_least(mean, event->max, 1) : mean,
		.clock_hz = clock,
		.max = busy ? 1 : event->max,
		.allowed = 0xff,
		.shape = busy ? SIM_LEVEL : (enum sim_shape)event->shape,
	};
	return true;
}
