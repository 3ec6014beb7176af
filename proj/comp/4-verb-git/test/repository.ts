import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { tempDir } from '../../../test/support/temp-dir.js'

/** Nothing of the machine's configuration; authors and dates that make hashes the same everywhere. */
export const GIT_TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_AUTHOR_DATE: '2025-01-31T12:00:00+01:00',
  GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org', GIT_COMMITTER_DATE: '2025-01-31T12:00:00+01:00',
}

/** For the process of the test file: what the verbs run inherits it. */
export function useGitEnvironment(): void {
  Object.assign(process.env, GIT_TEST_ENVIRONMENT)
}

export interface TestRepository {
  root: string
  /** Runs git there; what it prints, without the line break at the end. */
  git(...args: string[]): string
  write(files: Record<string, string | Uint8Array>): void
}

/** A directory where git can be run. */
export function testDirectory(root = tempDir()): TestRepository {
  return {
    root,
    git: (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).replace(/\n$/, ''),
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        outputFileSync(join(root, path), content)
      }
    },
  }
}

/** A repository on branch main; with files, one commit of them. */
export function testRepository(files: Record<string, string | Uint8Array> = {}, root?: string): TestRepository {
  const repository = testDirectory(root)
  repository.git('init', '--quiet', '--initial-branch=main')
  if (Object.keys(files).length === 0) return repository
  repository.write(files)
  repository.git('add', '--all')
  repository.git('commit', '--quiet', '--message=first')
  return repository
}
