import { ownEnvironment, runNow } from '../../../2-processes/src/index.js'

const MOST_NAMED = 5

/** Why a pull cannot update a clone, in a sentence, and what to do; changes nothing. */
export function whyNoPull(directory: string): { reason: string; hint: string } | undefined {
  const git = (...args: string[]): string | undefined => output(directory, args)
  const changes = git('status', '--porcelain', '--untracked-files=no')
  if (changes === undefined) {
    return { reason: `git cannot read the clone ${directory}`, hint: 'See what git status says there.' }
  }
  if (changes !== '') {
    const named = changes.split('\n').slice(0, MOST_NAMED).map((line) => line.slice(3))
    return {
      reason: `There are changes of yours in ${directory}, and so nothing was touched`,
      hint: `Commit them, or git stash, there: ${named.join(', ')}`,
    }
  }
  if (git('symbolic-ref', '--quiet', 'HEAD') === undefined) {
    return {
      reason: `The clone ${directory} is on no branch (its HEAD is detached), and so nothing was touched`,
      hint: 'Check a branch out there: git switch BRANCH',
    }
  }
  if (git('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}') !== undefined) return undefined
  return {
    reason: `The branch of the clone ${directory} follows no other (it has no upstream), and so nothing was touched`,
    hint: 'Say there which one: git branch --set-upstream-to REMOTE/BRANCH',
  }
}

/** The current commit of a clone. */
export function commitOf(directory: string): string | undefined {
  return output(directory, ['rev-parse', 'HEAD'])
}

/** Output of git; `undefined` where it fails, or is not installed. */
function output(directory: string, args: readonly string[]): string | undefined {
  const { exitCode, stdout } = runNow({
    program: 'git', args, cwd: directory, env: ownEnvironment(), stdio: ['ignore', 'pipe', 'ignore'],
  })
  return exitCode === 0 ? stdout.trimEnd() : undefined
}
