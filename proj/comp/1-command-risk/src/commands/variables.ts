import type { FollowedShell } from '../shell/followed-shell.js'
import { isKnown } from '../shell/taint.js'
import { isStandardShell } from './shells.js'
import { namesGitProgram } from './git-command-options.js'

/** Judges the value of a variable, and follows the commands in it. @returns whether it lets other code run */
type Judge = (value: string, shell: FollowedShell, name: string) => boolean

const SYSTEM_LIBRARY = /^(?:\/usr)?(?:\/local)?\/lib(?:32|64|x32)?\//

/** A file that programs load or run at their start. */
const file: Judge = (value, shell) => {
  if (shell.scope.files.get(value) !== undefined) shell.call(['sh', value], '')
  return !/^\s*(?:\/dev\/null)?$/.test(value) && !value.split(/[:\s]+/).every((path) => SYSTEM_LIBRARY.test(path))
}

/** A command line that programs start. */
const command: Judge = (value, shell) => {
  if (isKnown(value)) shell.apart(value.replace(/^\|/, ''), '')
  return false
}

/** Options of an interpreter: dangerous where they load code. */
const options = (loads: RegExp): Judge => (value) => loads.test(value)

/** Only a search path for programs: the approval shows it, and what the script itself put there is followed. */
const place: Judge = () => false

const NODE = options(/(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)[=\s]*["']?(?:[./~]|file:|data:)/)
const foreignShell: Judge = (value) => value !== '' && !isStandardShell(value)

/** Variables that decide what runs besides or instead of the command. */
const VARIABLES: readonly (readonly [name: RegExp, judge: Judge])[] = [
  [/^(?:BASH_ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|PYTHONHOME|GCONV_PATH)$/, file],
  [/^(?:OPENSSL_CONF|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG_(?:GLOBAL|SYSTEM)|RIPGREP_CONFIG_PATH|ZDOTDIR)$/, file],
  // Programs use it for names such as `production`; shells read the file.
  [/^ENV$/, (value, shell, name) => /[/$`]|\.\w+$/.test(value) && file(value, shell, name)],
  [/^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|FCEDIT|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|PERL5DB)$/, command],
  [/^(?:\w*_?ASKPASS|GIT_SSH(?:_COMMAND)?|GIT_(?:EXTERNAL_DIFF|PROXY_COMMAND)|RSYNC_RSH|SVN_SSH|CVS_RSH)$/, command],
  [/^PS[0124]$/, (value, shell) => {
    shell.evaluate(value)
    return false
  }],
  [/^(?:NODE_OPTIONS|npm_config_node_options)$/i, NODE],
  [/^PERL5OPT$/, options(/^(?!\s*(?:-(?:M[\w:]+(?:=[\w,./-]*)?|[wWTt])\s*)*$)/)],
  [/^RUBYOPT$/, options(/-\w*r\s*[./~]|-\w*e/)],
  [/^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/, options(/-(?:javaagent|agentlib|agentpath|XX:OnError)/)],
  [/^(?:TAR_OPTIONS|MAKEFLAGS)$/, (value, shell, name) => {
    shell.apart(`${name === 'MAKEFLAGS' ? 'make' : 'tar'} ${value}`, '')
    return false
  }],
  [/^(?:SHELL|npm_config_script_shell)$/i, foreignShell],
  [/^GIT_CONFIG_PARAMETERS$/, (value, shell) => (
    [...value.matchAll(/'([\w.-]+)(?:'=')?=?([^']*)'/g)]
      .map(([, key = '', setting = '']) => gitSetting(key, setting, shell)).includes(true)
  )],
  [/^GIT_CONFIG_(?:KEY|VALUE)_\d+$/, (_, shell, name) => {
    const [number = ''] = /\d+$/.exec(name) ?? []
    const [key, value] = ['KEY', 'VALUE']
      .map((part) => shell.scope.variables.get(`GIT_CONFIG_${part}_${number}`)?.[0])
    return key !== undefined && value !== undefined && gitSetting(key, value, shell)
  }],
  [/^(?:PATH|LD_LIBRARY_PATH|DYLD_\w+|PYTHONPATH|PERL5LIB|RUBYLIB|NODE_PATH|CLASSPATH|CDPATH|IFS)$/, place],
  [/^(?:BASH_FUNC_.*|BASHOPTS|SHELLOPTS|HISTFILE|HOME|XDG_CONFIG_HOME|PYTHON\w+|GIT_\w+|LD_\w+)$/, place],
]

/** Whether a variable decides which code runs, rather than just passing data. */
export function changesWhatRuns(name: string): boolean {
  return VARIABLES.some(([pattern]) => pattern.test(name))
}

/** Reports a variable that lets programs run code which the command does not show. */
export function judgeVariable(name: string, value: string, shell: FollowedShell): void {
  const judge = VARIABLES.find(([pattern]) => pattern.test(name))?.[1]
  if (judge?.(value, shell, name)) shell.scope.report('code by variable', [`${name}=${value}`])
}

function gitSetting(key: string, value: string, shell: FollowedShell): boolean {
  shell.call(['git', '-c', `${key}=${value}`], '')
  return namesGitProgram(key) && !key.startsWith('alias.')
}
