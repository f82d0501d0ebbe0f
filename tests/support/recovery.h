/* SPDX-License-Identifier: BSD-3-Clause */
// recovery.h - recovers a simulated machine from a made-up journal and checks each write. Does
// not use Google Test.
#ifndef SUPPORT_RECOVERY_H
#define SUPPORT_RECOVERY_H

#include <functional>
#include <string>
#include <vector>

#include "support/journal_file.h"

struct sim;

namespace support
{

// The place of a register in the map.
unc_place place_in_map(const unc_machine *m, const unc_pmon *map, size_t i);

class Recovery
{
      public:
	// Called with an error in a write, and the operation.
	std::function<void(const char *what, const unc_op &op)> wrong;
	std::vector<unc_op> written;
	int read_error = 0;       // of each read during a recovery
	bool remains = false;     // the journal, for a later recovery
	std::vector<char> locked; // by package; all at first
	// Called before and after the recovery itself; if set, the recovery may fail.
	std::function<void(bool before)> around;
	int code = 0; // of the last recovery: 1 if it was complete

	explicit Recovery(const std::string &spec);
	~Recovery();
	Recovery(const Recovery &) = delete;
	Recovery &operator=(const Recovery &) = delete;

	const unc_machine *machine() const;
	const unc_pmon *map() const;
	struct sim *sim() const;
	// The header that a process of this machine would write.
	unc_journal_head head() const;
	unc_place place(size_t i) const;
	uint64_t read(const unc_op &op) const;
	void write(const unc_op &op, uint64_t value) const;
	// Treats the bytes as the journal of a process that has ended.
	void recover(const void *bytes, size_t n);
	void recover(const unc_journal &journal);
	// The journal of a process of this machine.
	void recover(std::vector<unc_saved> saved, std::vector<unc_shown> shown = {});
	// Whether all counters are disabled and cannot interrupt.
	bool stopped() const;

      private:
	struct Hw {
		unc_hw base;
		Recovery *self;
	};
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value);
	static int do_write(unc_hw *hw, const unc_op *op, uint64_t value);
	void look(const unc_op &op, uint64_t value) const;
	void take();
	void find_controls();

	std::vector<unc_op> controls;
	struct uncore *u = nullptr;
	std::string root, dir;
	unc_hw_ops ops = {};
	Hw watched = {};
};

} // namespace support

#endif
