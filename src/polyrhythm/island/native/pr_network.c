#define _DEFAULT_SOURCE
/* A small network of dense layers, its weights float32, or int8 with a scale to each row. The file is what
   network.py writes; it is checked whole before the first run, which allocates nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "pr_island.h"

#define MAGIC 0x31304c4d57525250ull /* "PRRWML01" read as a number; see network.py */
#define HUGE ((size_t)2 << 20)
#define MAX_LAYERS 16
#define MAX_WIDTH 16384

typedef struct {
  uint64_t rows, cols, kind, activation;
} layer_head;

typedef struct {
  layer_head head;
  const float *bias, *scale, *floats; /* scale and bytes, or floats */
  const int8_t *bytes;
} layer;

struct pr_network {
  uint8_t *memory;
  size_t bytes;
  size_t layers;
  layer layer[MAX_LAYERS];
  float *a, *b;
  int8_t *quantised;
};

static pr_network *refuse(pr_network *n, char *err, size_t size, const char *what) {
  snprintf(err, size, "%s", what);
  pr_network_close(n);
  return NULL;
}

void pr_network_close(void *self) {
  pr_network *n = self;
  if (!n) return;
  free(n->memory), free(n->a), free(n->b), free(n->quantised), free(n);
}

void *pr_slurp(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  uint8_t *memory = NULL;
  long end = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  if (end > 0 && end < 1l << 30 && !fseek(file, 0, SEEK_SET)) {
    size_t unit = (size_t)end < HUGE ? 64 : HUGE, room = ((size_t)end + unit) / unit * unit;
    memory = aligned_alloc(unit, room);
    if (memory && unit == HUGE) (void)madvise(memory, room, MADV_HUGEPAGE); /* few pages to look up */
    if (memory && fread(memory, 1, (size_t)end, file) != (size_t)end) free(memory), memory = NULL;
    *bytes = (size_t)end;
  }
  fclose(file);
  return memory;
}

/* `count` items of `size` bytes from `at` on, each array at a multiple of 64; NULL beyond the end. */
static const void *take(const pr_network *n, size_t *at, size_t count, size_t size) {
  size_t start = (*at + 63) / 64 * 64;
  if (start > n->bytes || count > (n->bytes - start) / size) return NULL;
  *at = start + count * size;
  return n->memory + start;
}

pr_network *pr_network_open(const char *path, size_t inputs, size_t outputs, char *err, size_t err_size) {
  pr_network *n = calloc(1, sizeof *n);
  if (!n || !(n->memory = pr_slurp(path, &n->bytes))) return refuse(n, err, err_size, "it cannot be read");
  const uint64_t *head = (const uint64_t *)(const void *)n->memory;
  if (n->bytes < 32 || head[0] != MAGIC) return refuse(n, err, err_size, "it is not a network file");
  if (head[1] != n->bytes || head[3] != pr_crc32(n->memory + 32, n->bytes - 32))
    return refuse(n, err, err_size, "it is truncated, or its checksum is wrong");
  n->layers = head[2];
  if (n->layers < 1 || n->layers > MAX_LAYERS) return refuse(n, err, err_size, "it has too many layers");
  size_t at = 32, width = inputs, widest = inputs;
  for (size_t i = 0; i < n->layers; i++) {
    layer *l = &n->layer[i];
    const layer_head *h = take(n, &at, 1, sizeof *h);
    if (!h || h->rows < 1 || h->rows > MAX_WIDTH || h->cols != width || h->kind > 1 || h->activation > 2)
      return refuse(n, err, err_size, "its layers do not fit each other, or the joints and sensors");
    l->head = *h;
    l->bias = take(n, &at, h->rows, 4);
    if (h->kind == 0) {
      l->floats = take(n, &at, h->rows * h->cols, 4);
    } else {
      l->scale = take(n, &at, h->rows, 4);
      l->bytes = take(n, &at, h->rows * h->cols, 1);
    }
    if (!l->bias || !(l->floats || (l->scale && l->bytes)))
      return refuse(n, err, err_size, "it ends too early");
    width = h->rows;
    if (width > widest) widest = width;
  }
  if (width != outputs) return refuse(n, err, err_size, "it does not give one number for each joint");
  size_t room = (widest * 4 + 63) / 64 * 64;
  n->a = aligned_alloc(64, room), n->b = aligned_alloc(64, room), n->quantised = aligned_alloc(64, room);
  if (!n->a || !n->b || !n->quantised) return refuse(n, err, err_size, "there is no memory for it");
  memset(n->a, 0, room), memset(n->b, 0, room), memset(n->quantised, 0, room);
  return n;
}

/* Eight sums at once, said as such: of a loop over them some compilers make what is three times as slow. */
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));

static float dot_floats(const float *w, const float *x, size_t count) {
  eight sum = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) sum += *(const eight *)(w + i) * *(const eight *)(x + i);
  for (; i < count; i++) sum[0] += w[i] * x[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static int32_t dot_bytes(const int8_t *w, const int8_t *x, size_t count) {
  int32_t sum = 0;
  size_t i = 0;
#ifdef __AVX2__
  /* |w| times x with the sign of w: pairs fit into 16 bits, since x is never -128. */
  __m256i sums = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
  for (; i + 32 <= count; i += 32) {
    __m256i ws = _mm256_loadu_si256((const __m256i *)(const void *)(w + i));
    __m256i xs = _mm256_loadu_si256((const __m256i *)(const void *)(x + i));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(ws), _mm256_sign_epi8(xs, ws));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, ones));
  }
  int32_t lanes[8];
  _mm256_storeu_si256((__m256i *)(void *)lanes, sums);
  for (size_t k = 0; k < 8; k++) sum += lanes[k];
#endif
  for (; i < count; i++) sum += w[i] * x[i];
  return sum;
}

/* Symmetric: the largest number becomes 127. Returns what one step is worth. */
static float quantise(const float *x, size_t count, int8_t *out) {
  float largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmaxf(largest, fabsf(x[i]));
  if (!(largest > 0)) {
    memset(out, 0, count);
    return 0;
  }
  float step = largest / 127;
  for (size_t i = 0; i < count; i++) out[i] = (int8_t)lrintf(x[i] / step);
  return step;
}

static float activated(uint64_t activation, float value) {
  if (activation == 1) return value > 0 ? value : 0;
  return activation == 2 ? tanhf(value) : value;
}

static void run_floats(const layer *l, const float *x, float *y) {
  size_t cols = l->head.cols;
  for (size_t r = 0; r < l->head.rows; r++) y[r] = dot_floats(l->floats + r * cols, x, cols);
}

static int run_bytes(const layer *l, const float *x, float *y, int8_t *quantised) {
  size_t cols = l->head.cols;
  for (size_t c = 0; c < cols; c++)
    if (!isfinite(x[c])) return 1;
  float step = quantise(x, cols, quantised);
  for (size_t r = 0; r < l->head.rows; r++)
    y[r] = (float)dot_bytes(l->bytes + r * cols, quantised, cols) * step * l->scale[r];
  return 0;
}

/* Its cost is that of its multiplications, always: it needs no end. */
int pr_network_run(void *self, const float *in, float *out, int64_t until_ns) {
  (void)until_ns;
  pr_network *n = self;
  const float *x = in;
  for (size_t i = 0; i < n->layers; i++) {
    const layer *l = &n->layer[i];
    float *y = i + 1 == n->layers ? out : (i & 1 ? n->b : n->a);
    if (l->head.kind == 0)
      run_floats(l, x, y);
    else if (run_bytes(l, x, y, n->quantised))
      return PR_POLICY_FAILED;
    for (size_t r = 0; r < l->head.rows; r++) y[r] = activated(l->head.activation, y[r] + l->bias[r]);
    x = y;
  }
  return PR_POLICY_DONE;
}
