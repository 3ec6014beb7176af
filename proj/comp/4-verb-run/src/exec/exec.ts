import * as v from 'valibot'
import { MILLISECONDS, timeLimit } from '../command-processes/index.js'
import { absolutePath, defineVerb, flag, integer, text } from '../../../0-contracts/src/index.js'
import { LANGUAGES } from './languages.js'
import { OUTPUT, PROCESS_RULES } from './output-schema.js'
import { requireNoNul } from './plain-text.js'
import { runCode } from './run-code.js'
import { workingDirectory } from './working-directory.js'

/** Runs code in a language of choice; data `{stdout, stderr, exit_code}`. */
export const exec = defineVerb({
  name: 'exec',
  vocabulary: 'clada',
  version: '3.2.0',
  description: 'Run code in Python, JavaScript, Bash or Ruby and return what it printed.',
  category: 'execution',
  type: 'dynamic',
  constraints: PROCESS_RULES,
  primary: 'code',
  seldom: ['version', 'cwd', 'return_output'],
  asksWithCommand: true,
  args: v.strictObject({
    code: text('The program. JavaScript as `node -e` takes it: CommonJS, with `require`.'),
    lang: v.pipe(v.picklist(LANGUAGES), v.description('Its language.')),
    version: v.optional(text('Version of the interpreter, e.g. `3.11`.')),
    cwd: v.optional(absolutePath('Directory to run in. Default: the root.')),
    timeout: v.optional(integer(
      'Time limit in milliseconds: by default 120000, at most 3600000 unless the user set others.', 1,
    )),
    return_output: flag('Whether the reply shows its output; data has it anyway.', true),
  }),
  result: OUTPUT,
  examples: [
    { code: "echo 'hello from shell'", lang: 'bash' },
    { code: 'print(6 * 7)', lang: 'python', timeout: 10_000 },
    { code: "console.log(require('node:path').sep)", lang: 'javascript' },
  ],
  handler({ code, lang, version, cwd, timeout }, context) {
    requireNoNul('exec', 'code', code)
    return runCode({
      verb: 'exec', program: lang, lang, languages: LANGUAGES, code, version,
      cwd: workingDirectory('exec', 'cwd', cwd, context),
      limit: timeLimit(timeout, MILLISECONDS, context.limits),
    }, context)
  },
})
