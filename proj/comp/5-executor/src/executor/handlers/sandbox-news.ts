import type { CommandSandbox } from '../../../../0-contracts/src/index.js'

/** The sandbox of a call, of which the model is told what it has to know of where its commands run. */
export function sandboxWithNews(sandbox: CommandSandbox, tell: (news: string) => void): CommandSandbox {
  return forwardedSandbox(sandbox, {
    async confine(call) {
      const program = await sandbox.confine(call)
      if (program.news !== undefined) tell(program.news)
      return program
    },
  }, (local) => local)
}

/**
 * A sandbox that forwards what `own` has not.
 *
 * @param around what stands for the sandbox of this machine, where that is another one
 */
export function forwardedSandbox(
  sandbox: CommandSandbox, own: Partial<Pick<CommandSandbox, 'admit' | 'confine' | 'end'>>,
  around: (local: CommandSandbox) => CommandSandbox,
): CommandSandbox {
  const forwarded: CommandSandbox = {
    isIsolated: sandbox.isIsolated,
    // Callers compare `sandbox.local === sandbox` to tell whether it runs on this machine.
    get local() {
      return sandbox.local === sandbox ? forwarded : around(sandbox.local)
    },
    problem: async () => sandbox.problem(),
    hostsProblem: async () => sandbox.hostsProblem(),
    admit: async (...asked) => sandbox.admit(...asked),
    confine: async (call) => sandbox.confine(call),
    end: async () => sandbox.end(),
    ...own,
  }
  return forwarded
}
