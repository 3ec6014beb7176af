/** What a program says that met a wall of the sandbox, and what that means. */
const SIGNS: readonly (readonly [sign: RegExp, meaning: string])[] = [
  [
    any(
      'Network is unreachable', 'Could not resolve host', 'Temporary failure in name resolution',
      'getaddrinfo ENOTFOUND',
      'ENETUNREACH', 'EAI_AGAIN', 'Name or service not known', 'nodename nor servname', 'No route to host', 'gaierror',
      'Failed to open TCP connection',
    ),
    'there is no network in it (only the user can open it: --network)',
  ],
  [
    /Read-only file system|EROFS/i,
    'only the root and the directories of --allow can be written, and of these not .git, .hermes and policy files: '
      + 'write below the root or in /tmp, and use git_commit for commits',
  ],
  [
    /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/i,
    '/tmp and the home are in memory and hold 1 GiB each: write large files below the root',
  ],
  [/File size limit exceeded|EFBIG|File too large/i, 'a single file has a limit there: write less, or several files'],
  [
    /Resource temporarily unavailable|EAGAIN|can't start new thread|Cannot fork|fork: retry/i,
    'the number of processes has a limit there: start fewer at a time',
  ],
  [
    /Cannot allocate memory|ENOMEM|MemoryError|out of memory|bad_alloc/i,
    'memory has a limit there: use less, or work in parts',
  ],
]
/** What is read-only in the root, as it stands in messages about that. */
const KEPT_NAME =
  /(?<![\w.-])(\.git|\.hermes|hermes\.yaml|\.husky|\.githooks)(?![\w.-]).*(?:Read-only file system|EROFS)/i
const NOT_SHOWN = any(
  'No such file or directory', 'ENOENT', 'cannot access', "can't open", 'Permission denied', 'EACCES',
  'Operation not permitted', 'EPERM',
)

/**
 * What the sandbox has to do with a failure, told by what a program printed last; `undefined` where nothing points to
 * it.
 *
 * @param outside whether a path as the program names it exists outside, and is not shown inside
 */
export function explainedBy(output: string, network: boolean, outside: (path: string) => boolean): string | undefined {
  const signs = network ? SIGNS.slice(1) : SIGNS
  const reasons = signs.filter(([sign]) => sign.test(output)).map(([, meaning]) => meaning)
  const kept = KEPT_NAME.exec(output)?.[1]
  if (kept !== undefined) reasons.unshift(`${kept} is read-only there`)
  if (NOT_SHOWN.test(output)) {
    const hidden = pathsIn(output).find(path => outside(path))
    if (hidden !== undefined) {
      reasons.push(`it does not show ${hidden}: only the root, system directories and programs in PATH are there `
        + '(only the user can open another directory: --allow DIR)')
    }
  }
  return reasons.length === 0 ? undefined : `The command ran in a sandbox: ${reasons.join('; ')}.`
}

/** Plain words, whatever their case. */
function any(...words: string[]): RegExp {
  return new RegExp(words.join('|'), 'i')
}

/** Absolute paths in a text; at most some dozens. */
function pathsIn(text: string): string[] {
  const found = text.match(/(?<![\w.~/-])\/[\w.+@-]+(?:\/[\w.+@-]+)*/g) ?? []
  return [...new Set(found)].slice(-40)
}
