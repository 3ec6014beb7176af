/**
 * OpenAI's Codex and the tools of its models: `codex-rs/core` of openai/codex, and OpenAI's documentation of
 * `local_shell`. A list of words becomes a quoted shell command.
 */
const SHELL = String.raw`{ text: [stdout, stderr], unwrap: output, after: "Output:\n" }`
const PATCH_FAILS = String.raw`{ fails: ['^(?:Failed|Invalid|error)', 'verification failed'] }`
/** With another working directory its paths would mean other files. */
const PATCH_APART = "'apply_patch takes one patch whose paths start at the root: write it without workdir'"
/** Arguments that ask for more than the sandbox allows. */
const UNCONFINED = 'with_escalated_permissions, sandbox_permissions, prefix_rule'
const CONSENT = `justification, ${UNCONFINED}`

/** Directory and time limit of a command, by the tool's names for them. */
function within(directory: string, milliseconds: string): string {
  return `working_directory: { from: ${directory}, path: true }, `
    + `timeout_seconds: { from: ${milliseconds}, times: 0.001 }`
}

export const CODEX = String.raw`
tools:
  shell:
    - when: { command: { heredoc: apply_patch }, workdir: { is: root } }
      verb: apply_patch
      arguments: { patch: { from: command, heredoc: apply_patch } }
      ignore: [workdir, timeout_ms, ${CONSENT}, login]
      result: ${PATCH_FAILS}
    - when: { command: { begins: [bash, '-lc'], length: 3 } }
      verb: execute_command
      arguments: { command: { from: command, item: 2 }, ${within('workdir', 'timeout_ms')} }
      ignore: [justification, login]
      omit: [${UNCONFINED}]
      result: ${SHELL}
    - when: { command: { begins: [apply_patch], length: 2 }, workdir: { is: root } }
      verb: apply_patch
      arguments: { patch: { from: command, item: 1 } }
      ignore: [workdir, timeout_ms, ${CONSENT}]
      result: ${PATCH_FAILS}
    - when: { command: { begins: [apply_patch] } }
      unmapped: ${PATCH_APART}
    - when: { workdir: [null, '', '.'], timeout_ms: null }
      verb: proc.run
      arguments:
        executable: { from: command, item: 0 }
        arguments: { from: command, skip: 1 }
      ignore: [justification]
      omit: [${UNCONFINED}]
    - verb: execute_command
      arguments: { command: { from: command, shell: true }, ${within('workdir', 'timeout_ms')} }
      ignore: [justification]
      omit: [${UNCONFINED}]
      result: ${SHELL}
  container.exec:
    - when: { cmd: { begins: [bash, '-lc'], length: 3 } }
      verb: execute_command
      arguments: { command: { from: cmd, item: 2 }, ${within('workdir', 'timeout')} }
      result: ${SHELL}
    - when: { cmd: { begins: [apply_patch], length: 2 }, workdir: { is: root } }
      verb: apply_patch
      arguments: { patch: { from: cmd, item: 1 } }
      ignore: [workdir, timeout]
      result: ${PATCH_FAILS}
    - when: { cmd: { begins: [apply_patch] } }
      unmapped: ${PATCH_APART}
    - when: { cmd: { present: true } }
      verb: execute_command
      arguments: { command: { from: cmd, shell: true }, ${within('workdir', 'timeout')} }
      result: ${SHELL}
    - same_as: shell
  local_shell:
    - when: { type: [exec, null], command: { begins: [bash, '-lc'], length: 3 } }
      verb: execute_command
      arguments: { command: { from: command, item: 2 }, ${within('working_directory', 'timeout_ms')}, env: env }
      omit: [user]
      result: ${SHELL}
    - when: { type: [exec, null] }
      verb: execute_command
      arguments: { command: { from: command, shell: true }, ${within('working_directory', 'timeout_ms')}, env: env }
      omit: [user]
      result: ${SHELL}
  shell_command:
    - when: { command: { heredoc: apply_patch }, workdir: { is: root } }
      verb: apply_patch
      arguments: { patch: { from: command, heredoc: apply_patch } }
      ignore: [workdir, timeout_ms, ${CONSENT}, login]
      result: ${PATCH_FAILS}
    - verb: execute_command
      arguments: { command: command, ${within('workdir', 'timeout_ms')} }
      ignore: [justification, login]
      omit: [${UNCONFINED}]
      result: ${SHELL}
  exec_command:
    verb: execute_command
    arguments:
      command: cmd
      working_directory: { from: workdir, path: true }
    ignore: [justification, login, yield_time_ms, max_output_tokens]
    omit: [${UNCONFINED}, shell, tty]
    result: { after: "Output:\n", text: [stdout, stderr] }
  apply_patch:
    - when: { input: { present: true } }
      verb: apply_patch
      arguments: { patch: input }
      result: ${PATCH_FAILS}
    - verb: apply_patch
      arguments: { patch: patch }
      result: ${PATCH_FAILS}
  write_stdin: { unmapped: no program waits for input }
  view_image: { unmapped: hermes shows no images }
  update_plan: { skip: it keeps a list of the model's own }
`
