/** For git in this test process no configuration of the machine's users counts, until the test file ends. */
export function useOwnGitIdentity(): void {
  Object.assign(process.env, {
    GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'c', GIT_COMMITTER_EMAIL: 'c@example.org',
  })
}

/** Options of git by which a commit of a test starts no second git that looks whether there is anything to tidy up. */
export const NO_HOUSEKEEPING = ['-c', 'maintenance.auto=false'] as const
