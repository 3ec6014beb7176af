/** OpenAI's Codex and the tools of its models. */
export const CODEX = String.raw`
tools:
  shell:
    - when: { command: { begins: [bash, '-lc'] } }
      verb: execute_command
      arguments:
        command: { from: command, item: 2 }
        working_directory: { from: workdir, path: true }
        timeout_seconds: { from: timeout_ms, times: 0.001 }
      ignore: [justification, with_escalated_permissions, sandbox_permissions, login]
      result: { unwrap: output, after: "Output:\n", text: [stdout, stderr] }
    - when: { command: { begins: [apply_patch] } }
      verb: apply_patch
      arguments: { patch: { from: command, item: 1 } }
      ignore: [workdir, timeout_ms, justification, with_escalated_permissions, sandbox_permissions]
      result: { fails: ['^(?:Failed|Invalid|error)', 'verification failed'] }
    - when: { workdir: [null, '', '.'] }
      verb: proc.run
      arguments:
        executable: { from: command, item: 0 }
        arguments: { from: command, skip: 1 }
      ignore: [timeout_ms, justification, with_escalated_permissions, sandbox_permissions]
  container.exec: { same_as: shell }
  local_shell:
    - when: { type: exec, command: { begins: [bash, '-lc'] } }
      verb: execute_command
      arguments:
        command: { from: command, item: 2 }
        working_directory: { from: working_directory, path: true }
        timeout_seconds: { from: timeout_ms, times: 0.001 }
      ignore: [env, user]
      result: { unwrap: output, after: "Output:\n", text: [stdout, stderr] }
    - when: { type: exec, working_directory: null }
      verb: proc.run
      arguments:
        executable: { from: command, item: 0 }
        arguments: { from: command, skip: 1 }
      ignore: [timeout_ms, env, user]
  shell_command:
    verb: execute_command
    arguments:
      command: command
      working_directory: { from: workdir, path: true }
      timeout_seconds: { from: timeout_ms, times: 0.001 }
    ignore: [justification, with_escalated_permissions, sandbox_permissions, login]
    result: { unwrap: output, after: "Output:\n", text: [stdout, stderr] }
  exec_command:
    verb: execute_command
    arguments:
      command: cmd
      working_directory: { from: workdir, path: true }
    ignore: [justification, with_escalated_permissions, sandbox_permissions, login, yield_time_ms, max_output_tokens, shell]
    result: { after: "Output:\n", text: [stdout, stderr] }
  apply_patch:
    - when: { input: { present: true } }
      verb: apply_patch
      arguments: { patch: input }
      result: { fails: ['^(?:Failed|Invalid|error)', 'verification failed'] }
    - verb: apply_patch
      arguments: { patch: patch }
      result: { fails: ['^(?:Failed|Invalid|error)', 'verification failed'] }
  update_plan: { skip: it keeps a list of the model's own }
`
