/* Licence */
#include <stdio.h>
#include "a/b.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LONG \
  1
typedef struct node { struct node *next; int v : 3; } node_t;
enum e { A = 1, B };
extern int g(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Adds. */
static inline unsigned long *add(int (*cb)(void *), int x[static 3])
{
#if defined(X) && !Y
  if (x[0] < 1 && cb) {
#else
  if (cb) {
#endif
    for (int i = 0; i < MAX(1, 2); i++) switch (i) { case 'a': goto out; default: break; }
  }
out:
  return (unsigned long *)&(node_t){ .v = sizeof(int), [1] = 2 };
}
int main(int argc, char **argv) { do g("%d" "x", L'\''); while (0); }
