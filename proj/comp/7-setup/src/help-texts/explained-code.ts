/** Why a failure happens and what to do; `docs/troubleshooting.md` has it with what hermes says. */
export interface ExplainedCode {
  cause: string
  fix: string
  /** An answer that fails so in a directory with `a.txt` (two lines: one, two). `/w` stands for it. Run by a test. */
  example?: string
  /** Where no answer alone fails so: what to type, or where it comes from. */
  session?: string
}
