/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_GRAPH_H
#define CUSIM_GRAPH_H

/* Graphs, as captures make them: the works that were put on the captured streams. They cannot be run yet. */

#include "stream.h"

struct node {
    struct node *next;
    int type;          /* a CUgraphNodeType */
    struct work *work; /* NULL for a node that only stands for something */
};

struct graph {
    struct object object;
    struct node *first;
    struct node **end;
    size_t node_count;
};

/* graph_create makes a graph that is not listed as live until it is handed out. */
struct graph *graph_create(void);

/* graph_add takes the work over, which may be NULL; it drops it and returns 0 if there is no memory. */
int graph_add(struct graph *graph, int type, struct work *work);

#endif
