import type { CommandSandbox } from '../../../../0-contracts/src/index.js'

/** The sandbox of a call, of which the model is told what it has to know of where its commands run. */
export function sandboxWithNews(sandbox: CommandSandbox, tell: (news: string) => void): CommandSandbox {
  const telling: CommandSandbox = {
    get isIsolated() {
      return sandbox.isIsolated
    },
    // Whoever asks whether a sandbox is of this machine compares the two.
    get local() {
      return sandbox.local === sandbox ? telling : sandbox.local
    },
    problem: async () => sandbox.problem(),
    hostsProblem: async () => sandbox.hostsProblem(),
    admit: async (verb, command, approve) => sandbox.admit(verb, command, approve),
    async confine(call) {
      const program = await sandbox.confine(call)
      if (program.news !== undefined) tell(program.news)
      return program
    },
    end: async () => sandbox.end(),
  }
  return telling
}
