import { HermesError } from '../../0-contracts/src/index.js'
import { clip } from '../../0-text/src/index.js'

const NOT_A_REPOSITORY_HINT = 'Git verbs work below a directory where git init or git clone was run: give path, or do '
  + 'without git.'

/** A file at which git stopped, and its failed filter. */
export interface FilteredFile {
  path: string
  filter: string
}

/** Git stopped at a file whose filter failed or may not run. */
export class FilterFailed extends HermesError {
  constructor(readonly at: FilteredFile, { code, message, hint, data, cause }: HermesError) {
    super(code, message, { hint, data, cause })
  }
}

/** Parses git's message about a failed filter. */
export function filteredFile(stderr: string): FilteredFile | undefined {
  const [, path, filter] = /^fatal: (.*): (?:clean|smudge) filter '(.*)' failed$/ms.exec(stderr) ?? []
  return path === undefined || filter === undefined ? undefined : { path, filter }
}

/** Turns a failure of git into an error for a model: git's message on one line, and what to do. */
export function gitFailure(
  verb: string, { exitCode, stderr }: { exitCode: number | null; stderr: string },
): HermesError {
  if (/not a git repository/i.test(stderr)) return notARepository(verb)
  if (/cannot use bare repository/i.test(stderr)) return notARepository(verb, 'a bare repository has no work tree')
  if (/dubious ownership|unsafe repository/i.test(stderr)) {
    return new HermesError('EACCES', `${verb}: git refuses the repository, since another user owns it`, {
      hint: 'Only the user can trust it: git config --global --add safe.directory DIRECTORY.',
    })
  }
  if (/index\.lock.*File exists/is.test(stderr)) {
    return new HermesError('EEXIST', `${verb}: another git process holds the lock of the repository`, {
      hint: 'Send the block again later. If no git runs, the user has to remove .git/index.lock.',
    })
  }
  const at = filteredFile(stderr)
  if (at) {
    // The program's own message, printed before git's.
    const [why = ''] = stderr.split('\n').filter(line => !/^(?:error|fatal|warning): /.test(line))
    const said = why === '' ? '' : `: ${clip(why, 300)}`
    const what = `${at.path} was not taken up, since its filter ${at.filter} failed`
    return new FilterFailed(at, new HermesError('NONZERO_EXIT', `${verb}: ${what}${said}`, {
      hint: 'Filters run in the sandbox, where they reach the work tree and what commands reach. Outside run known '
        + 'ones (git-lfs, git-crypt) and scripts by their whole path, if the user names them by git config --global.',
      data: { stderr },
    }))
  }
  const said = /^(?:fatal|error): .*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? ''
  return new HermesError('NONZERO_EXIT', `${verb}: git failed (exit code ${exitCode ?? 'none'}): ${clip(said, 300)}`, {
    hint: 'That is what git itself says.',
    data: { stderr },
  })
}

export function notARepository(verb: string, reason = 'there is no git repository here'): HermesError {
  return new HermesError('NOT_A_REPOSITORY', `${verb}: not a git repository: ${reason}`, {
    hint: NOT_A_REPOSITORY_HINT,
  })
}
