// SHA-256 (FIPS 180-4).
#ifndef PR_SHA256_H_
#define PR_SHA256_H_

#include <stddef.h>
#include <stdint.h>

void pr_sha256(const void *data, size_t nbytes, uint8_t digest[32]);

#endif  // PR_SHA256_H_
