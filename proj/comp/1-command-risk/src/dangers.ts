/**
 * Kinds of commands whose damage is hard to undo, with descriptions. Their names are used in approvals,
 * `APPROVAL_DENIED` and `command_allowlist`.
 */
export const DANGERS = {
  'recursive delete': 'deletes a directory with all it holds',
  'mass delete': 'deletes whatever a pattern or a search finds',
  'delete in a system path': 'deletes files outside of any project',
  'overwrite of a system file': 'changes files of the system or of its users',
  'startup file change': 'changes what runs at the next login or start',
  'disk write': 'writes to a disk past its file system, or copies it',
  'disk format': 'makes, changes or wipes file systems and partitions',
  'secure erase': 'erases files beyond recovery',
  'disk filling': 'writes without end',
  'world-writable permissions': 'lets every user change files',
  'set-uid permissions': 'lets programs run with the rights of their owner',
  'permission change in a system path': 'changes owners or permissions of the system',
  'fork bomb': 'starts processes without end',
  'kill of many processes': 'ends processes that it did not start',
  'system shutdown': 'stops or restarts the machine',
  'service stop': 'stops or disables services',
  'system setting': 'changes the kernel, the firewall or mounts',
  'account change': 'changes users, groups or passwords',
  'root shell': 'opens a shell with all rights',
  'scheduled job change': 'changes what runs at set times',
  'package removal': 'removes software of the system',
  'remote code': 'runs what comes from the network, unread',
  'hidden code': 'runs text that was encoded or put together, so that nobody can read it',
  'piped code': 'runs text that is not in the command',
  'code by variable': 'sets a variable that makes programs run code which is not in the command',
  'reverse shell': 'gives another machine a shell here',
  'secrets read': 'prints or copies keys and passwords',
  'secrets sent': 'sends keys, passwords or environment variables over the network',
  'traces removed': 'removes logs or the history of commands',
  'git force push': 'overwrites or deletes commits of the remote repository',
  'git discard': 'throws away changes or branches that are not committed or not merged',
  'git history rewrite': 'rewrites or removes commits for good',
  'SQL DROP': 'deletes tables, schemas or databases',
  'SQL TRUNCATE': 'empties tables',
  'SQL DELETE without WHERE': 'deletes or changes all rows of a table',
  'database reset': 'empties or deletes a database',
  'container removal': 'removes containers, images or volumes in numbers, with their data',
  'container escape': 'gives a container the rights of the machine',
  'cloud deletion': 'deletes resources of a cluster or a cloud',
  'release': 'publishes to, or removes from, where others fetch it',
  'unreadable command': 'cannot be read for certain, and holds words of dangerous commands',
} as const

export type DangerName = keyof typeof DANGERS

/** One danger of a command. */
export interface Danger {
  name: DangerName
  /** The simple command that causes it, as far as known, on one line; unknown parts are dots. */
  command: string
}
