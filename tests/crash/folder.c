/* A folder in these tests contains few files, and no folders. */
#include "folder.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *left, const void *right) {
    return strcmp(((const struct folder_file *)left)->name, ((const struct folder_file *)right)->name);
}

void folder_read(struct folder *folder) {
    memset(folder, 0, sizeof *folder);
    DIR *stream = opendir(".");
    if (!stream) abort();
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (folder->count == FOLDER_FILES) abort();
        struct folder_file *file = &folder->files[folder->count++];
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
        if (!content_of_bytes(&file->bytes, file->name)) abort();
    }
    closedir(stream);
    qsort(folder->files, (size_t)folder->count, sizeof *folder->files, by_name);
}

void folder_restore(const struct folder *folder) {
    DIR *stream = opendir(".");
    if (!stream) abort();
    for (struct dirent *entry; (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(entry->d_name)) abort();
    closedir(stream);
    for (int i = 0; i < folder->count; i++) {
        const struct content *bytes = &folder->files[i].bytes;
        FILE *file = fopen(folder->files[i].name, "wb");
        if (!file || fwrite(bytes->bytes, 1, bytes->size, file) != bytes->size || fclose(file)) abort();
    }
}

void folder_copy(const char *path) {
    struct folder folder;
    folder_read(&folder);
    if (mkdir(path, 0777)) abort();
    for (int i = 0; i < folder.count; i++) {
        char name[1000];
        const struct content *bytes = &folder.files[i].bytes;
        snprintf(name, sizeof name, "%s/%s", path, folder.files[i].name);
        FILE *file = fopen(name, "wb");
        if (!file || fwrite(bytes->bytes, 1, bytes->size, file) != bytes->size || fclose(file)) abort();
    }
    folder_free(&folder);
}

const struct content *folder_find(const struct folder *folder, const char *name) {
    for (int i = 0; i < folder->count; i++)
        if (strcmp(folder->files[i].name, name) == 0) return &folder->files[i].bytes;
    return NULL;
}

int folder_same(const struct folder *left, const struct folder *right) {
    int same = left->count == right->count;
    for (int i = 0; same && i < left->count; i++)
        same = strcmp(left->files[i].name, right->files[i].name) == 0 &&
               content_same(&left->files[i].bytes, &right->files[i].bytes);
    return same;
}

void folder_free(struct folder *folder) {
    for (int i = 0; i < folder->count; i++) content_free(&folder->files[i].bytes);
    folder->count = 0;
}
