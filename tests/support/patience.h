/* SPDX-License-Identifier: BSD-3-Clause */
// patience.h - how long a test waits for samples. PAPI's timer runs in CPU time, of which a process
// on a busy computer gets a fraction, while counts grow in real time.
#ifndef SUPPORT_PATIENCE_H
#define SUPPORT_PATIENCE_H

namespace support
{

// Seconds of CPU time that this process has used.
double cpu_seconds();

class Patience
{
      public:
	// Ends when that much time has passed and the process has got as much CPU time.
	explicit Patience(double seconds);

	bool is_over() const;

      private:
	const double seconds, began, cpu_began;
};

} // namespace support

#endif
