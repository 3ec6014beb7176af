import type { ExplainedCode } from './explained-code.js'

function call(name: string, args: Record<string, unknown>): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
}

function replace(old: string, more: Record<string, unknown> = {}): string {
  return call('file_replace_text', { path: '/w/a.txt', old_text: old, new_text: 'x', ...more })
}

/** Codes of failures while a call runs, and of thrown errors. */
export const CODES_SECOND: Readonly<Record<string, ExplainedCode>> = {
  TEXT_NOT_FOUND: {
    cause: 'The text to replace is not in the file as it is written: another indentation, or the file changed.',
    fix: 'Copy it from the file; the hint shows the most alike passage.', example: replace('onee'),
  },
  TEXT_COUNT_MISMATCH: {
    cause: 'The text occurs more or fewer times than count says.',
    fix: 'Write more lines, so that only one place fits, or give count.', example: replace('o'),
  },
  AMBIGUOUS_MATCH: {
    cause: 'Several places hold the text, or they overlap.', fix: 'Write more of the lines around it.',
    example: call('file_insert', { path: 'b.txt', before: 'same', new_text: 'x' }),
  },
  ELIDED_CONTENT: {
    cause: 'New content says … rest unchanged: the rest would be lost.', fix: 'Write the whole content, or an edit.',
    example: call('file_write', {
      path: '/w/long.js', content: 'const a = 1\n// ... rest of the code unchanged ...\n',
    }),
  },
  RANGE_INVALID: {
    cause: 'Lines are outside of the file, or the range is the wrong way round.',
    fix: 'Read the file with line numbers first.',
    example: call('file_replace_lines', { path: '/w/a.txt', lines: '8-9', new_content: 'x' }),
  },
  FILE_TOO_LARGE: {
    cause: 'A file is larger than limits.file_size (10MB), or a block than 64 Mi characters.',
    fix: 'Read a part of it by lines, or raise the limit (hermes config set limits.file_size 50MB); '
      + 'write a long file in parts (file_append).',
    example: call('read_file', { path: 'big.log' }),
  },
  NOT_TEXT: {
    cause: 'The file is no UTF-8 text, and would be damaged.',
    fix: 'Leave it, or name its encoding where the verb takes one.', example: call('read_file', { path: 'data.bin' }),
  },
  POLICY_DENIED: {
    cause: 'The path is outside of the root, closed to every verb, or the policy or --toolset says no.',
    fix: 'Work inside; --allow DIR opens another directory, hermes config shows what is closed.',
    example: call('read_file', { path: '/etc/passwd' }),
  },
  APPROVAL_DENIED: {
    cause: 'It needs a yes, and there was nobody to ask, or the answer was no.',
    fix: 'Run it at a terminal, or with --yes; add the kind to command_allowlist.',
    example: call('delete_file', { path: 'a.txt' }),
  },
  TIMEOUT: {
    cause: 'A command ran longer than --timeout, its own timeout or limits.command_time.',
    fix: 'Give it more time, or less to do.', example: call('exec', { lang: 'bash', code: 'sleep 5', timeout: 200 }),
  },
  OUTPUT_LIMIT: {
    cause: 'A result is larger than limits.output_size.', fix: 'Ask for less: fewer lines, a narrower pattern.',
  },
  CANCELLED: {
    cause: 'The run was stopped (Ctrl-C, a signal, or the caller).',
    fix: 'Run the blocks again that did not run; hermes undo takes the others back.',
  },
  CHANGED_ON_DISK: {
    cause: 'Somebody else wrote the file since the session read it, or your editor holds it unsaved (hermes acp). '
      + 'Nothing was lost.',
    fix: 'Save it where it is open; read it again, then change it.',
  },
  NONZERO_EXIT: {
    cause: 'A command ended with another exit code than 0, or git or a hook refused.',
    fix: 'Read what it printed, in data of --json and below the block.',
    example: call('exec', { lang: 'bash', code: 'echo no such thing >&2; exit 3' }),
  },
  NO_USER: {
    cause: 'A block asks the user, and nobody is there.', fix: 'Run it at a terminal with the answer in a file.',
    example: call('ask_user', { question: 'Which one?' }),
  },
  CALLBACK_FAILED: {
    cause: 'A function that a program gave to the library threw: approve, ui, onProgress or onOutput.',
    fix: 'Mend that program: its errors are in thrown of the result.',
  },
  NOT_INSTALLED: {
    cause: 'A program, package or sandbox that is needed is not there.', fix: 'hermes doctor says what to install.',
  },
  TERMINAL_FAILED: {
    cause: 'The shell of terminal_run or terminal_background did not start, or did not answer; '
      + 'or the connection to the other host ended.',
    fix: 'Read what it printed, in the hint; hermes doctor looks at the sandbox. '
      + 'exec and execute_command need no terminal.',
  },
  SHELL_BUSY: {
    cause: 'terminal_run came while the shell of the task still ran a command.',
    fix: 'Wait for it with terminal_poll, interrupt it with terminal_input and key ctrl-c, or use terminal_background.',
  },
  TOOL_FAILED: {
    cause: 'A tool of an MCP server says that it failed.',
    fix: 'Read what it said, in the message and in data; change the arguments.',
  },
  SERVER_FAILED: {
    cause: 'An MCP server or a language server could not be started or reached, ended, did not answer in time, or '
      + 'answered against the protocol; or a language server wants an edit that is not made.',
    fix: 'Start its command by hand, and look at mcp_servers or language_servers in ~/.hermes/config.yaml; '
      + 'hermes help mcp and hermes help language-servers describe them.',
  },
  EXTENSION_FAILED: {
    cause: 'An extension could not be started, ended while it was needed, or spoke against the protocol. '
      + 'Nothing of the answer ran.',
    fix: 'hermes ext run NAME --log shows what it writes; without --extension the answer runs as it is.',
  },
  HOOK_FAILED: {
    cause: 'A command of hooks: before in a policy file failed, so that nothing of the answer was run.',
    fix: 'Read what it printed (hooks in --json) and mend that; --no-hooks runs the answer without it.',
  },
  NOT_A_REPOSITORY: {
    cause: 'The path is in no git work tree.', fix: 'Run git init, or leave the git verbs.',
    example: call('git_status', {}),
  },
  NOTHING_TO_COMMIT: { cause: 'What the commit names has not changed.', fix: 'Change something first, or leave it.' },
  OPERATION_IN_PROGRESS: {
    cause: 'A merge, rebase or the like was begun and not ended.', fix: 'End it, or abort it, with git.',
  },
  LOCKED: {
    cause: 'Another run works in the root, another git holds the index, '
      + 'or another replay works in the run of that name.',
    fix: 'Wait for it with --wait SECONDS; give a replay another name with --run.',
  },
  INTERRUPTED_RUN: {
    cause: 'The last run died (kill -9, power).',
    fix: 'hermes recover keeps what it did, hermes recover --restore puts everything back.',
  },
  NOTHING_TO_UNDO: {
    cause: 'No run is left to be taken back or repeated.',
    fix: 'hermes log lists the runs of a root; give the same --root.',
  },
  UNTRUSTED_JOURNAL: {
    cause: 'The run in .hermes/journal is not signed with the key in ~/.hermes: it came with the folder from '
      + 'elsewhere, an older hermes wrote it, or the key is a new one.',
    fix: 'hermes log shows what it would take back; --trust-journal takes and signs the whole journal, once.',
  },
  NOTHING_TO_SQUASH: { cause: 'Fewer than two commits in a row fit.', fix: 'Choose others with --mode.' },
  NO_IDENTITY: {
    cause: 'git does not know who commits.', fix: 'git config --global user.name "Your Name", and user.email.',
  },
  NETWORK_NOT_HELD: {
    cause: '--network=HOST,… (or verbs.network of a policy) names the hosts that commands may reach, and nothing here '
      + 'holds them to it: no sandbox, a container, another host, macOS, or no nsenter.',
    fix: 'Install bubblewrap (or util-linux with unshare and nsenter) on Linux; else close the network, or open all '
      + 'of it (--network).',
  },
  RUN_STOPPED: {
    cause: 'The run was stopped, or could not be committed or put back: the message says why.',
    fix: 'Mend what the message names; hermes log and git status show how far it came.',
  },
  INTERNAL: {
    cause: 'A defect of hermes or of a verb. Other blocks are not affected.', fix: 'Report it with the block.',
  },
  ENOENT: {
    cause: 'A file, directory or program is not there.', fix: 'Take the near name in the hint, or create it first.',
    example: call('read_file', { path: 'c.txt' }),
  },
  EACCES: {
    cause: 'The system does not permit it to your user.', fix: 'Change owner or mode; hermes doctor looks at the root.',
  },
  EEXIST: {
    cause: 'Something is at the destination.', fix: 'Give overwrite: true, or another name.',
    example: call('fs.copyFile', { sourcePath: 'a.txt', destinationPath: 'b.txt' }),
  },
  EISDIR: {
    cause: 'A directory stands where a file is meant.', fix: 'Name a file in it.',
    example: call('read_file', { path: 'sub' }),
  },
  ENOTDIR: {
    cause: 'A file stands where a directory is meant.', fix: 'Name its directory.',
    example: call('list_directory', { path: 'a.txt' }),
  },
  ENOTEMPTY: {
    cause: 'A directory holds something; dir_delete takes only empty ones.',
    fix: 'Delete what is in it first, or use fs.deleteDirectory.', example: call('dir_delete', { path: '/w/sub' }),
  },
  ENOSPC: { cause: 'The disk is full.', fix: 'Make room; files keep their old content.' },
  ELOOP: {
    cause: 'Symbolic links lead in a circle.', fix: 'Remove one of them.', example: call('read_file', { path: 'loop' }),
  },
  EPERM: {
    cause: 'The system does not permit it to anybody like you.', fix: 'Look at owner and attributes of the file.',
  },
  EROFS: { cause: 'The file system is read-only.', fix: 'Work in another root.' },
  INVALID_OPTION: {
    cause: 'A flag, an option or a definition of a verb is wrong.', fix: 'hermes COMMAND --help lists the flags.',
  },
  INVALID_POLICY: {
    cause: 'A policy file is not as it must be. Nothing runs.', fix: 'hermes config check names all places.',
  },
  INVALID_PLAN: {
    cause: 'A plan cannot be read, is of another version, or was changed since it was made.',
    fix: 'Make it again: hermes apply ANSWER --dry-run --plan FILE.',
  },
  PLAN_CHANGED: {
    cause: 'Files, the policy, flags or the answer are not as they were when the plan was made. Nothing was run.',
    fix: 'Read what the message lists, and make the plan again.',
  },
  NO_BLOCKS: {
    cause: '--require-blocks was given, and the answer holds no live block. Nothing ran.',
    fix: 'Write blocks outside of quotes and of code fences of other languages: hermes help formats.',
  },
  INVALID_TRANSCRIPT: {
    cause: 'A record of a transcript cannot be read; the others can.',
    fix: 'Mend the line that the message names, or say --format.',
  },
  INVALID_MAPPING: {
    cause: 'A mapping of foreign tools, or a replay.yaml, is wrong.',
    fix: 'Mend the place that the message names; hermes help mappings and hermes help replay describe them.',
  },
  INVALID_JOB: {
    cause: 'What came from a queue is no job, or no result of one, in the form of this version.',
    fix: 'Use the same hermes on both sides; hermes replay --queue-status lists what failed.',
  },
  OTHER_SERVER: {
    cause: "A prompt of hermes batch --queue is planned for another server than the workers on the queue ask: "
      + "a worker sends its key nowhere else.",
    fix: 'Start a worker with --base-url and a key for that server, '
      + 'or name the server of the workers with hermes batch --base-url; then go on with --resume.',
  },
  CORRUPT_CONTENT: {
    cause: 'A store holds something else than what was put into it.',
    fix: 'Remove what the message names: it is put there again by the next replay.',
  },
  UNREACHABLE: {
    cause: 'A queue or a store does not answer, or refuses.',
    fix: 'Check the address, the credentials and the network; hermes doctor --queue URL asks Redis.',
  },
  NO_CLIPBOARD: {
    cause: 'A flag or a command asks for the clipboard, and there is none: no display, or no program that serves it.',
    fix: 'Install xsel (X11) or wl-clipboard (Wayland) and work in a graphical session; '
      + 'else give the text as a file and take the text for the model with --reply.',
  },
  MODEL_FAILED: {
    cause: "The model's server refused, was not reached, or broke off too often; "
      + "or its run ended without an answer: at the greatest number of turns, or in a loop.",
    fix: 'Check the API key, the base URL and the name of the model; the conversation can go on from where it is.',
  },
  NOT_UPDATED: {
    cause: 'hermes update may not, or cannot, bring this installation up to date: changes of yours in the clone, '
      + 'a branch that follows no other, an origin that was not recorded, or a command that failed.',
    fix: 'Do what the hint says; hermes update --check shows the commands.',
  },
  ALREADY_REGISTERED: { cause: 'A verb of this name is there already.', fix: 'Choose another name.' },
}
