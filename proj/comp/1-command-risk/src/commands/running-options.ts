import type { FollowedShell } from '../shell/followed-shell.js'
import { each, type Call } from './call.js'
import { valuesOf } from './read-options.js'
import { runText } from './shells.js'

/** By program: options whose value is a command line. */
const RUNNING: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '-I', '-F', '--to-command', '--use-compress-program', '--rsh-command', '--info-script', '--new-volume-script',
    '--checkpoint-action',
  ],
  bsdtar: ['--use-compress-program'],
  git: [
    '-x', '-u', '-O', '--exec', '--extcmd', '--upload-pack', '--receive-pack', '--open-files-in-pager', '--tree-filter',
    '--index-filter', '--msg-filter', '--env-filter', '--commit-filter', '--parent-filter', '--tag-name-filter',
  ],
  ssh: ['-o'],
  ...each('sftp scp', ['-o', '-S']),
  rsync: ['-e', '--rsh', '--rsync-path'],
  man: ['-P', '--pager'],
  zip: ['-TT', '--unzip-command'],
  sort: ['--compress-program'],
  split: ['--filter'],
  rg: ['--pre'],
  nodemon: ['-x', '--exec'],
  entr: ['-s'],
  ...each('complete mapfile readarray', ['-C']),
  ansible: ['-a', '--args'],
  bind: ['-x'],
}

/** Prefix of the command within such a value; a value without it starts nothing. */
const BEFORE: Readonly<Record<string, RegExp>> = {
  '--checkpoint-action': /^exec=/,
  '-o': /^\s*(?:Proxy|Local|KnownHosts|Remote)Command(?:=|\s)/i,
}

/** Follows the command lines in the options of a command. */
export function runOptions({ name, args, words }: Call, shell: FollowedShell): void {
  for (const option of Object.hasOwn(RUNNING, name) ? RUNNING[name] ?? [] : []) {
    const before = BEFORE[option]
    for (const value of valuesOf(args, option)) {
      if (before && !before.test(value)) continue
      const text = before ? value.replace(before, '') : name === 'bind' ? value.replace(/^"[^"]*"\s*:/, '') : value
      runText(text, words, shell)
    }
  }
}
