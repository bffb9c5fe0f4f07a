/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "graph.h"

#include "call.h"
#include "memory.h"

#include <stdlib.h>

static void ended(struct object *object) {
    struct graph *graph = (struct graph *)object;
    while (graph->first) {
        struct node *node = graph->first;
        graph->first = node->next;
        if (node->work)
            node->work->drop(node->work);
        free(node);
    }
    memory_graph_ended(graph);
}

struct graph *graph_create(void) {
    struct graph *graph = object_create(OBJECT_GRAPH, NULL);
    if (!graph)
        return NULL;
    graph->object.listed = 0;
    graph->object.ended = ended;
    graph->end = &graph->first;
    return graph;
}

int graph_add(struct graph *graph, int type, struct work *work) {
    struct node *node = calloc(1, sizeof(*node));
    if (!node) {
        if (work)
            work->drop(work);
        return 0;
    }
    node->type = type;
    node->work = work;
    *graph->end = node;
    graph->end = &node->next;
    graph->node_count++;
    return 1;
}

CUresult sim_cuGraphDestroy(CUgraph graph) {
    struct graph *found = NULL;
    CUresult result = object_find(OBJECT_GRAPH, graph, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (!found->object.listed)
        return violation(CUDA_ERROR_INVALID_VALUE, "The graph is still being captured");
    object_end(&found->object, OBJECT_DESTROYED);
    return CUDA_SUCCESS;
}

CUresult sim_cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    struct graph *found = NULL;
    CUresult result = count ? object_find(OBJECT_GRAPH, graph, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct node *node = found->first;
    for (size_t i = 0; nodes && i < *count; i++) {
        nodes[i] = (CUgraphNode)node;
        node = node ? node->next : NULL;
    }
    if (!nodes || *count > found->node_count)
        *count = found->node_count;
    return CUDA_SUCCESS;
}

static const struct node *find_node(const void *raw) {
    const struct graph *graph;
    for (size_t position = 0; (graph = object_next(OBJECT_GRAPH, &position));) {
        const struct node *node = graph->first;
        while (node && node != raw)
            node = node->next;
        if (node)
            return node;
    }
    return NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuGraphNodeGetType(CUgraphNode node, int *type) {
    const struct node *found = find_node(node);
    if (!found)
        return violation(CUDA_ERROR_INVALID_VALUE, "0x%llx is no node of a graph", (unsigned long long)(uintptr_t)node);
    if (!type)
        return CUDA_ERROR_INVALID_VALUE;
    *type = found->type;
    return CUDA_SUCCESS;
}
