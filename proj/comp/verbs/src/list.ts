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
  { name: 'edit_replace', load: async () => (await import('../../verb-edit/src/edit-replace.js')).editReplace },
  { name: 'apply_patch', load: async () => (await import('../../verb-edit/src/apply-patch.js')).applyPatch },
  { name: 'patch_unified', load: async () => (await import('../../verb-edit/src/patch-unified.js')).patchUnified },
  { name: 'file_insert', load: async () => (await import('../../verb-edit/src/file-insert.js')).fileInsert },
  {
    name: 'symbol_replace',
    load: async () => (await import('../../verb-edit/src/symbol-replace.js')).symbolReplace,
  },
  {
    name: 'symbol_insert_before',
    load: async () => (await import('../../verb-edit/src/symbol-insert-before.js')).symbolInsertBefore,
  },
  {
    name: 'symbol_insert_after',
    load: async () => (await import('../../verb-edit/src/symbol-insert-after.js')).symbolInsertAfter,
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
  { name: 'exec', load: async () => (await import('../../verb-exec/src/exec.js')).exec },
  {
    name: 'terminal_run',
    load: async () => (await import('../../verb-terminal/src/terminal-run.js')).terminalRun,
  },
  {
    name: 'terminal_background',
    load: async () => (await import('../../verb-terminal/src/terminal-background.js')).terminalBackground,
  },
  {
    name: 'terminal_input',
    load: async () => (await import('../../verb-terminal/src/terminal-input.js')).terminalInput,
  },
  {
    name: 'terminal_poll',
    load: async () => (await import('../../verb-terminal/src/terminal-poll.js')).terminalPoll,
  },
  {
    name: 'terminal_kill',
    load: async () => (await import('../../verb-terminal/src/terminal-kill.js')).terminalKill,
  },
  {
    name: 'terminal_list',
    load: async () => (await import('../../verb-terminal/src/terminal-list.js')).terminalList,
  },
  { name: 'undo', load: async () => (await import('../../verb-git/src/undo.js')).undoVerb },
  { name: 'git_squash', load: async () => (await import('../../verb-git/src/git-squash.js')).gitSquash },
  { name: 'git_step_back', load: async () => (await import('../../verb-git/src/git-step-back.js')).gitStepBack },
  {
    name: 'git_step_forward',
    load: async () => (await import('../../verb-git/src/git-step-forward.js')).gitStepForward,
  },
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
  {
    name: 'skills_categories',
    load: async () => (await import('../../verb-skills/src/skills-categories.js')).skillsCategories,
  },
  { name: 'skills_list', load: async () => (await import('../../verb-skills/src/skills-list.js')).skillsList },
  { name: 'skill_view', load: async () => (await import('../../verb-skills/src/skill-view.js')).skillView },
  { name: 'fs.exists', load: async () => (await import('../../verb-fs/src/hermes/exists.js')).fsExists },
  { name: 'fs.readFile', load: async () => (await import('../../verb-fs/src/hermes/read-file.js')).fsReadFile },
  { name: 'fs.readRange', load: async () => (await import('../../verb-fs/src/hermes/read-range.js')).fsReadRange },
  { name: 'fs.writeFile', load: async () => (await import('../../verb-fs/src/hermes/write-file.js')).fsWriteFile },
  { name: 'fs.writeRange', load: async () => (await import('../../verb-fs/src/hermes/write-range.js')).fsWriteRange },
  { name: 'fs.deleteFile', load: async () => (await import('../../verb-fs/src/hermes/delete-file.js')).fsDeleteFile },
  { name: 'fs.moveFile', load: async () => (await import('../../verb-fs/src/hermes/move-file.js')).fsMoveFile },
  { name: 'fs.copyFile', load: async () => (await import('../../verb-fs/src/hermes/copy-file.js')).fsCopyFile },
  {
    name: 'fs.createDirectory',
    load: async () => (await import('../../verb-fs/src/hermes/create-directory.js')).fsCreateDirectory,
  },
  {
    name: 'fs.deleteDirectory',
    load: async () => (await import('../../verb-fs/src/hermes/delete-directory.js')).fsDeleteDirectory,
  },
  { name: 'fs.lineCount', load: async () => (await import('../../verb-fs/src/hermes/line-count.js')).fsLineCount },
  { name: 'fs.listDir', load: async () => (await import('../../verb-fs/src/hermes/list-dir.js')).fsListDir },
  { name: 'proc.run', load: async () => (await import('../../verb-exec/src/proc-run.js')).procRun },
  { name: 'sys.machineInfo', load: async () => (await import('../../verb-sys/src/machine-info.js')).machineInfo },
  { name: 'read_file', load: async () => (await import('../../verb-fs/src/core/read-file.js')).readFile },
  { name: 'write_file', load: async () => (await import('../../verb-fs/src/core/write-file.js')).writeFile },
  {
    name: 'list_directory',
    load: async () => (await import('../../verb-fs/src/core/list-directory.js')).listDirectory,
  },
  { name: 'delete_file', load: async () => (await import('../../verb-fs/src/core/delete-file.js')).deleteFile },
  { name: 'move_file', load: async () => (await import('../../verb-fs/src/core/move-file.js')).moveFile },
  { name: 'search_files', load: async () => (await import('../../verb-search/src/search-files.js')).searchFiles },
  {
    name: 'execute_command',
    load: async () => (await import('../../verb-exec/src/execute-command.js')).executeCommand,
  },
  {
    name: 'execute_script',
    load: async () => (await import('../../verb-exec/src/execute-script.js')).executeScript,
  },
  {
    name: 'semantic_search',
    load: async () => (await import('../../verb-semantic/src/semantic-search.js')).semanticSearch,
  },
  { name: 'git_status', load: async () => (await import('../../verb-git/src/git-status.js')).gitStatus },
  { name: 'git_diff', load: async () => (await import('../../verb-git/src/git-diff.js')).gitDiff },
  { name: 'git_log', load: async () => (await import('../../verb-git/src/git-log.js')).gitLog },
  { name: 'git_commit', load: async () => (await import('../../verb-git/src/git-commit.js')).gitCommit },
  { name: 'ask_user', load: async () => (await import('../../verb-ui/src/ask-user.js')).askUser },
  { name: 'confirm_action', load: async () => (await import('../../verb-ui/src/confirm-action.js')).confirmAction },
  { name: 'find_symbol', load: async () => (await import('../../verb-symbols/src/find-symbol.js')).findSymbol },
  {
    name: 'get_definition',
    load: async () => (await import('../../verb-symbols/src/get-definition.js')).getDefinition,
  },
]
