/* Throws broken network files at the loader, and runs what it takes: fuzz_network FILE ROUNDS INPUTS OUTPUTS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_island.h"

static uint64_t state = 88172645463325252ull;

static uint64_t next(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  static uint8_t whole[1 << 20], broken[1 << 20];
  FILE *file = fopen(arguments[1], "rb");
  size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;
  if (file) fclose(file);
  if (!size) return 2;
  char path[4096], why[256];
  snprintf(path, sizeof path, "%s.broken", arguments[1]);
  size_t inputs = strtoull(arguments[3], NULL, 10), outputs = strtoull(arguments[4], NULL, 10);
  float in[512] = {1, -1, 0.5f}, out[512];
  long taken = 0;
  for (long round = 0; round < atol(arguments[2]); round++) {
    memcpy(broken, whole, size);
    size_t now = next() % 4 ? size : next() % (size + 1);
    for (uint64_t flips = next() % 4; flips--;) {
      size_t at = next() % 3 ? next() % size : 32 + 8 * (next() % 8);
      broken[at % size] = (uint8_t)(next() % 2 ? next() : broken[at % size] ^ (uint8_t)(1u << next() % 8));
    }
    if (now >= 32 && next() % 2) { /* with a header that is in order, so that what follows is looked at */
      uint64_t bytes = now, check = pr_crc32(broken + 32, now - 32);
      memcpy(broken + 8, &bytes, 8), memcpy(broken + 24, &check, 8);
    }
    file = fopen(path, "wb");
    if (!file || fwrite(broken, 1, now, file) != now || fclose(file)) return 2;
    pr_network *network = pr_network_open(path, inputs, outputs, why, sizeof why);
    if (!network) continue;
    taken++;
    (void)pr_network_run(network, in, out, 0);
    pr_network_close(network);
  }
  printf("%ld\n", taken);
  return 0;
}
