import { newFile, replaceRules, USUAL } from './edit-rules.js'
import { grepRules } from './grep-rules.js'

const REPLACE_FAILS = "'^(?:<tool_use_error>)?(?:Error|File has not been read|String to replace|Found)'"

/**
 * Claude Code: the tools of its system prompt and of its SDK (`sdk-tools.d.ts` of `@anthropic-ai/claude-code`). Its
 * reading tools number and shorten lines, so only success is compared.
 */
export const CLAUDE_CODE = String.raw`
tools:
  Bash:
    - when: { run_in_background: [false, null] }
      verb: execute_command
      arguments:
        command: command
        timeout_seconds: { from: timeout, times: 0.001 }
      ignore: [description]
      omit: [dangerouslyDisableSandbox]
      result: { text: [stdout, stderr], answers_by_code: [grep, egrep, fgrep, rg, find, diff, test, '['] }
    - unmapped: it goes on in the background
  Read:
    verb: read_file
    arguments:
      path: { from: file_path, path: true }
      start_line: { from: offset, unless: 0 }
      end_line: { from: limit, beyond: offset }
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File does not exist|EISDIR|ENOENT)'] }
  Write:
    verb: fs.writeFile
    arguments: { path: { from: file_path, path: true }, content: content }
    result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read)'] }
  Edit:
    - when: { old_string: '' }
      ${newFile('file_path', 'new_string')}
      ignore: [replace_all]
      result: { fails: ['^(?:<tool_use_error>)?(?:Error|File has not been read|Cannot create)'] }
${replaceRules(USUAL, REPLACE_FAILS)}
  MultiEdit: { opens: edits, as: Edit }
  Glob:
    verb: glob
    arguments: { pattern: pattern, base_path: { from: path, path: true, default: '.' } }
  Grep:
${grepRules({ usually: 'files_with_matches', isPaged: true })}
  LS:
    verb: list_directory
    arguments: { path: { from: path, path: true } }
    omit: [ignore]
  NotebookEdit: { unmapped: hermes does not edit notebooks }
  BashOutput: { unmapped: nothing goes on in the background }
  KillShell: { unmapped: nothing goes on in the background }
  Task: { unmapped: there is no other agent }
  Agent: { unmapped: there is no other agent }
  WebFetch: { unmapped: there are no verbs for the web }
  WebSearch: { unmapped: there are no verbs for the web }
  TodoWrite: { skip: it keeps a list of the model's own }
  EnterPlanMode: { skip: it asks the user }
  ExitPlanMode: { skip: it asks the user }
  AskUserQuestion: { skip: it asks the user }
`
