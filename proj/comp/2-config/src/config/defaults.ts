import type { Limits, Policy } from '../../../0-contracts/src/index.js'

/** Where nobody set others. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  maxFileBytes: 10 * 2 ** 20,
  maxOutputBytes: 2 ** 20,
  commandTimeoutMs: 120_000,
  maxCommandTimeoutMs: 3_600_000,
  maxMatches: 10_000,
  maxBlocks: 100_000,
  maxWrittenBytes: 2 ** 30,
  runTimeoutMs: 24 * 3_600_000,
  maxProcesses: 512,
  maxMemoryBytes: 4 * 2 ** 30,
}

/** Without policy files and options: every verb runs, commands in a sandbox without network. */
export const DEFAULT_POLICY: Policy = {
  verbs: {
    read: { value: 'on', by: undefined },
    write: { value: 'on', by: undefined },
    exec: { value: 'on', by: undefined },
    git: { value: 'on', by: undefined },
    network: { value: 'off', by: undefined },
  },
  sandbox: { value: 'auto', by: undefined },
  commandAllowlist: [],
  passesEnv: () => false,
  terminal: {},
}
