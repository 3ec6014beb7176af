import type { LazyVerb } from '../../registry/src/index.js'

/**
 * The one list of built-in verbs. It imports their files directly, not their components' `index.js`: so that each is
 * loaded alone, and nothing before it is used.
 */
export const VERBS: readonly LazyVerb[] = [
  { name: 'file_write', load: async () => (await import('../../verb-fs/src/clada/file-write.js')).fileWrite },
  {
    name: 'file_replace_text',
    load: async () => (await import('../../verb-fs/src/clada/file-replace-text.js')).fileReplaceText,
  },
  {
    name: 'file_replace_all_text',
    load: async () => (await import('../../verb-fs/src/clada/file-replace-all-text.js')).fileReplaceAllText,
  },
  { name: 'file_append', load: async () => (await import('../../verb-fs/src/clada/file-append.js')).fileAppend },
  { name: 'file_delete', load: async () => (await import('../../verb-fs/src/clada/file-delete.js')).fileDelete },
  { name: 'file_move', load: async () => (await import('../../verb-fs/src/clada/file-move.js')).fileMove },
  { name: 'file_read', load: async () => (await import('../../verb-fs/src/clada/file-read.js')).fileRead },
  {
    name: 'file_read_numbered',
    load: async () => (await import('../../verb-fs/src/clada/file-read-numbered.js')).fileReadNumbered,
  },
  {
    name: 'file_replace_lines',
    load: async () => (await import('../../verb-fs/src/clada/file-replace-lines.js')).fileReplaceLines,
  },
  { name: 'files_read', load: async () => (await import('../../verb-fs/src/clada/files-read.js')).filesRead },
  { name: 'dir_create', load: async () => (await import('../../verb-fs/src/clada/dir-create.js')).dirCreate },
  { name: 'dir_delete', load: async () => (await import('../../verb-fs/src/clada/dir-delete.js')).dirDelete },
  { name: 'ls', load: async () => (await import('../../verb-fs/src/clada/ls.js')).ls },
  { name: 'grep', load: async () => (await import('../../verb-search/src/grep.js')).grep },
  { name: 'glob', load: async () => (await import('../../verb-search/src/glob.js')).glob },
  { name: 'exec', load: async () => (await import('../../verb-exec/src/index.js')).exec },
  { name: 'context_add', load: async () => (await import('../../verb-context/src/context-add.js')).contextAdd },
  {
    name: 'context_remove',
    load: async () => (await import('../../verb-context/src/context-remove.js')).contextRemove,
  },
  {
    name: 'context_list',
    load: async () => (await import('../../verb-context/src/context-list.js')).contextList,
  },
  {
    name: 'context_prune',
    load: async () => (await import('../../verb-context/src/context-prune.js')).contextPrune,
  },
  {
    name: 'context_clear',
    load: async () => (await import('../../verb-context/src/context-clear.js')).contextClear,
  },
]
