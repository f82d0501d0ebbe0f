/* SPDX-License-Identifier: BSD-3-Clause */
/* election_state.h - the state behind election.h, for its files only. */
#ifndef UNC_ELECTION_STATE_H
#define UNC_ELECTION_STATE_H

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "claim/directory.h"
#include "claim/election.h"

#define UNC_LOCKED  ".lock" /* suffix of the locked one of two files */
#define UNC_FILE    96      /* the other one's name */
#define UNC_WATCHED 64      /* other handles whose names this one waits for */

/* Another handle of the step, as of the last begin. */
struct unc_candidate {
	char file[UNC_FILE];
	uint64_t releases; /* how often it has released a name */
	uint64_t *names;   /* hashes */
	size_t n;
};

/* A handle with a name that this one wants; the numbers are read without a lock. */
struct unc_watched {
	char file[UNC_FILE];    /* "": free */
	atomic_int names, lock; /* descriptors; -1: none; lock: of this process */
	_Atomic uint64_t releases;
};

/* A name that this handle holds. */
struct unc_held_name {
	uint64_t hash; /* 0: released */
	unsigned times;
};

struct unc_election {
	struct unc_launch step;
	struct unc_directory dir;
	char launch[24];       /* prefix of the files of the step */
	char process[64];      /* then that of this process */
	char file[UNC_FILE];   /* "": none yet */
	bool locked;           /* by another process at the last begin */
	int gate, names, lock; /* descriptors; negative: not open */
	uint64_t releases;
	struct unc_held_name *held;
	size_t n_held;
	struct unc_candidate *others;
	size_t n_others;
	struct unc_watched watched[UNC_WATCHED];
	atomic_bool too_many; /* to watch them: whether one has released a name is unknown */
	_Atomic int64_t unchanged;
};

/* ---- election_files.c ---- */

int unc_election_open(struct unc_election *election, struct unc_err *err);
/* Look at the files of the other handles. 0 or -errno. */
int unc_election_look(struct unc_election *election);
/* Another one with its names, which are read from fd. 0 or -errno. */
int unc_election_add(struct unc_election *election, const char *file, int fd);
void unc_election_forget(struct unc_election *election);
/* Create the files of this handle. 0 or -errno. */
int unc_election_make_files(struct unc_election *election);
void unc_election_close_own(struct unc_election *election);
void unc_election_remove(const struct unc_election *election, const char *file);
/* The lock file of another one, open; -1: of this process; -errno. */
int unc_election_open_lock(const struct unc_election *election, const char *file);
/* fd negative: true.  Signal-safe. */
bool unc_election_is_alive(int fd);

static inline void unc_election_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

#endif
