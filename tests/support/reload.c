/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Opens, uses and closes a plugin, again and again: `test_reload <plugin> <rounds>`. Linked to nothing of the library, so that
 * closing the plugin can unload all of it. Prints what it found, one fact a line. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int use_once(const char *path) {
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*use)(void) = NULL;
    if (plugin)
        *(void **)&use = dlsym(plugin, "plugin_use");
    if (!use) {
        printf("open: %s\n", dlerror());
        return 1;
    }
    int failed = use();
    return dlclose(plugin) || failed;
}

static int count_lines(const char *path) {
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int next = 0; file && (next = getc(file)) != EOF;)
        lines += next == '\n';
    if (file)
        fclose(file);
    return lines;
}

static int count_entries(const char *path) {
    DIR *folder = opendir(path);
    int entries = 0;
    while (folder && readdir(folder))
        entries++;
    if (folder)
        closedir(folder);
    return entries;
}

/* A handler of an unloaded library would crash here. */
static int fork_lives(void) {
    int ended = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, &ended, 0);
    return ended == 0;
}

int main(int count, char **arguments) {
    if (count != 3)
        return 2;
    int failures = 0;
    int rounds = atoi(arguments[2]);
    for (int round = 0; round < 5; round++) /* so that what is made once is there */
        failures += use_once(arguments[1]);
    int mappings = count_lines("/proc/self/maps");
    int threads = count_entries("/proc/self/task");
    int files = count_entries("/proc/self/fd");
    for (int round = 5; round < rounds; round++)
        failures += use_once(arguments[1]);
    printf("failures: %d\n", failures);
    printf("threads: %d more\n", count_entries("/proc/self/task") - threads);
    printf("files: %d more\n", count_entries("/proc/self/fd") - files);
    printf("mappings: %s\n", count_lines("/proc/self/maps") - mappings < rounds / 2 ? "as many" : "more each round");
    printf("fork: %s\n", fork_lives() ? "fine" : "crashed");
    return 0;
}
