import * as v from 'valibot'
import { SECONDS, timeLimit } from '../command-processes/index.js'
import { boundedText, defineVerb, integerBetween, toolPath } from '../../../0-contracts/src/index.js'
import { SCRIPT_LANGUAGES } from './languages.js'
import { OUTPUT, PROCESS_RULES } from './output-schema.js'
import { requireNoNul } from './plain-text.js'
import { runCode } from './run-code.js'
import { workingDirectory } from './working-directory.js'

/** Core tool: runs a script. */
export const executeScript = defineVerb({
  name: 'execute_script',
  vocabulary: 'core',
  version: '3.1.0',
  description: 'Run a script in PowerShell, Bash or Python and return what it printed.',
  category: 'code_execution',
  type: 'dynamic',
  constraints: PROCESS_RULES,
  primary: 'script',
  asksWithCommand: true,
  args: v.strictObject({
    script: boundedText('The text of the script, e.g. "print(6 * 7)".', { max: 65_536 }),
    language: v.pipe(v.picklist(SCRIPT_LANGUAGES), v.description('The language of the script.')),
    working_directory: v.optional(toolPath('Directory to run in, e.g. "src". Default: the root.')),
    timeout_seconds: v.optional(integerBetween(
      'Longest time it may run, in seconds. Default: 120. The user may have set other limits.', 1, 3600,
    )),
  }),
  check: ({ script }) => requireNoNul('execute_script', 'script', script),
  result: OUTPUT,
  examples: [
    { script: 'for n in 1 2 3; do echo "line $n"; done', language: 'bash' },
    { script: 'import sys\nprint(sys.version_info.major)', language: 'python', timeout_seconds: 30 },
  ],
  handler({ script, language, working_directory: directory, timeout_seconds: timeout }, context) {
    return runCode({
      verb: 'execute_script', program: language, lang: language, code: script,
      languages: SCRIPT_LANGUAGES.filter(known => known !== language),
      cwd: workingDirectory('execute_script', 'working_directory', directory, context),
      limit: timeLimit(timeout, SECONDS, context.limits),
    }, context)
  },
})
