import {
  forEachChild, parse, type ArithmeticFor, type Command, type CompoundList, type PipelineNode,
  type Redirection, type Function as ShellFunction, type Statement, type SyntaxNode, type While, type Word,
} from 'unbash'
import { callCommand } from '../commands/call-command.js'
import { judgeVariable } from '../commands/variables.js'
import { targetDanger } from '../rules/targets.js'
import type { FollowedShell } from './followed-shell.js'
import { Scope } from './scope.js'
import { ANY, CONTENT, listed } from './taint.js'
import { Words } from './words.js'

/** Most values of a loop to follow. */
const MOST_VALUES = 8
/** Words that can do harm; a text without any is no danger even if it cannot be parsed. */
const SUSPECT = new RegExp(
  String.raw`\b(?:rm|rmdir|unlink|shred|dd|mkfs|wipefs|fdisk|chmod|chown|find|xargs|git|eval|exec|source|sudo|`
    + String.raw`kill\w*|pkill|shutdown|reboot|halt|poweroff|drop|truncate|delete|curl|wget|base64|`
    + String.raw`python\d?|perl|ruby|node|php)\b|`
    + String.raw`sh\b|/dev/|/etc/|\$\{?!?\w+[\[}]?`,
  'i',
)

/** Follows shell text: tells its scope what is dangerous. */
export class ScriptRun implements FollowedShell {
  readonly #words: Words

  constructor(readonly scope: Scope) {
    this.#words = new Words(scope, (script) =>
      scope.deeper(() => {
        if (script.errors?.length) scope.report('unreadable command', ['$(…)'])
        return new ScriptRun(new Scope(scope)).#statements(script.commands, '')
      }),
    )
  }

  here(text: string, stdin: string, parameters?: readonly string[]): string {
    this.scope.step(text.length)
    return this.#with(parameters, () => {
      const script = parse(text)
      if (script.errors?.length) this.#unreadable(text)
      return this.#statements(script.commands, stdin)
    })
  }

  apart(text: string, stdin: string, parameters: readonly string[] = []): string {
    return new ScriptRun(new Scope(this.scope)).here(text, stdin, parameters)
  }

  call(words: readonly string[], stdin: string): string {
    return this.scope.deeper(() => callCommand(words, stdin, this))
  }

  evaluate(text: string): void {
    this.scope.step(text.length)
    this.#words.evaluate(text)
  }

  assign(name: string, value: string): void {
    this.scope.variables.set(name, [value])
    judgeVariable(name, value, this)
  }

  callFunction([name = '', ...parameters]: readonly string[], stdin: string): string | undefined {
    const body = this.scope.functions.get(name)
    if (!body) return undefined
    // A recursive function is followed once.
    this.scope.functions.delete(name)
    try {
      return this.#with(parameters, () => this.#node(body, stdin))
    } finally {
      this.scope.functions.set(name, body)
    }
  }

  /** Handles text that bash cannot parse, but other shells may. */
  #unreadable(text: string): void {
    if (/(\S+)\s*\(\)\s*\{\s*\1\s*\|\s*\1/.test(text.slice(0, 2000))) this.scope.report('fork bomb', [text])
    else if (SUSPECT.test(text)) this.scope.report('unreadable command', [text])
  }

  #with(parameters: readonly string[] | undefined, task: () => string): string {
    const outer = this.scope.parameters
    if (parameters) this.scope.parameters = parameters
    try {
      return this.scope.deeper(task)
    } finally {
      if (parameters) this.scope.parameters = outer
    }
  }

  #statements(statements: readonly Statement[], stdin: string): string {
    return statements.map(({ command }) => this.#node(command, stdin)).join('')
  }

  #node(node: PipelineNode | CompoundList | Statement['command'], stdin: string): string {
    switch (node.type) {
      case 'Command':
        return this.#command(node, stdin)
      case 'Pipeline':
        return node.commands.reduce((printed, command) => this.#node(command, printed), stdin)
      case 'AndOr':
        return node.commands.map((command) => this.#node(command, stdin)).join('')
      case 'CompoundList':
        return this.#statements(node.commands, stdin)
      case 'Redirected': {
        const input = node.redirects.reduce((before, redirect) => this.#input(redirect) ?? before, stdin)
        return this.#output(node.redirects, this.#node(node.command, input), [node.command.type.toLowerCase()])
      }
      case 'Function':
        if (isForkBomb(node)) this.scope.report('fork bomb', [`${node.name.value}() { … }`])
        this.scope.functions.set(node.name.value, node.body)
        return ''
      case 'Subshell':
        return new ScriptRun(new Scope(this.scope)).#node(node.body, stdin)
      case 'BraceGroup':
      case 'Coproc':
        return this.#node(node.body, stdin)
      case 'If':
        return [node.clause, node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), node.else]
          .map((list) => (list ? this.#node(list, stdin) : ''))
          .join('')
      case 'While':
        if (isForkLoop(node)) this.scope.report('fork bomb', ['while … do … & done'])
        return this.#node(node.clause, listed(stdin)) + this.#node(node.body, stdin)
      case 'For':
      case 'Select':
        return this.#loop(node.name, node.wordlist, node.body, stdin)
      case 'ArithmeticFor':
        if (isForkLoop(node)) this.scope.report('fork bomb', ['for … do … & done'])
        for (const part of [node.initialize, node.test, node.update]) if (part) this.#evaluate(part)
        return this.#node(node.body, stdin)
      case 'Case':
        this.#words.text(node.word)
        for (const pattern of node.items.flatMap((item) => item.pattern)) this.#words.text(pattern)
        return node.items.map(({ body }) => this.#node(body, stdin)).join('')
      default:
        this.#evaluate(node)
        return ''
    }
  }

  /** Evaluates words of tests and arithmetic: substitutions in them run, also in values used as numbers or names. */
  #evaluate(node: SyntaxNode): void {
    if (node.type === 'Word') this.evaluate(this.#words.text(node))
    else if (node.type === 'ArithmeticWord') this.#words.arithmetic(node.value)
    else if (node.type === 'ArithmeticCommandExpansion') this.#words.arithmetic(node.text)
    else forEachChild(node, (child) => this.#evaluate(child))
  }

  #loop(name: Word, words: readonly Word[] | undefined, body: CompoundList, stdin: string): string {
    const values = words ? this.#words.fields(words).slice(0, MOST_VALUES) : [ANY]
    return (values.length === 0 ? [ANY] : values)
      .map((value) => {
        this.scope.variables.set(name.value, [listed(value)])
        return this.#node(body, stdin)
      })
      .join('')
  }

  #command(command: Command, stdin: string): string {
    this.scope.step()
    const input = command.redirects.reduce((before, redirect) => this.#input(redirect) ?? before, stdin)
    for (const prefix of command.prefix) {
      if (prefix.type !== 'Assignment') continue
      this.#words.assign(prefix)
      judgeVariable(prefix.name, this.scope.variables.get(prefix.name)?.join(' ') ?? '', this)
    }
    const words = command.name ? this.#words.fields([command.name]) : []
    for (const argument of command.args) words.push(...this.#words.argument(argument))
    return this.#output(command.redirects, words.length === 0 ? '' : this.call(words, input), words)
  }

  /** Input from a redirection; `undefined` where it provides none. */
  #input(redirect: Redirection): string | undefined {
    if (redirect.type === 'HereDoc') return this.#words.body(redirect.body.parts, redirect.body.text)
    if (!redirect.target) return undefined
    if (redirect.type === 'HereString') return `${this.#words.text(redirect.target)}\n`
    if (redirect.operator !== '<' && redirect.operator !== '<>') return undefined
    return this.scope.files.get(this.#words.text(redirect.target)) ?? CONTENT
  }

  /** The output left after redirections; remembers files that the script writes. */
  #output(redirects: readonly Redirection[], printed: string, words: readonly string[]): string {
    let left = printed
    for (const redirect of redirects) {
      if (redirect.type !== 'Redirect' || !redirect.target) continue
      const { operator, descriptor } = redirect
      const path = this.#words.text(redirect.target)
      if (/^\/dev\/(?:tcp|udp)\//.test(path)) this.scope.report('reverse shell', [...words, operator, path])
      if (!operator.includes('>') || /^(?:\d+-?|-)$/.test(path)) continue
      this.scope.report(targetDanger(path), [...words, operator, path])
      if (descriptor !== undefined && !(descriptor.type === 'FileDescriptor' && descriptor.value === 1)) continue
      const endless = /^(?:yes|.*\/dev\/(?:zero|urandom|random))$/.test(
        [words[0], ...words.slice(1, 2)].filter((word) => word !== 'cat').join(' '),
      )
      if (endless && !path.startsWith('/dev/')) this.scope.report('disk filling', [...words, operator, path])
      this.scope.files.set(path, operator.includes('>>') ? (this.scope.files.get(path) ?? '') + printed : printed)
      left = ''
    }
    return left
  }
}

/** Whether a function calls itself in the background, in a pipe or as a coprocess: each call doubles the processes. */
function isForkBomb({ name, body }: ShellFunction): boolean {
  const isCall = (node: SyntaxNode): boolean => node.type === 'Command' && node.name?.value === name.value
  const startsProcess = (node: SyntaxNode): boolean =>
    (node.type === 'Statement' && node.background === true) || node.type === 'Pipeline' || node.type === 'Coproc'
  return contains(body, (node) => startsProcess(node) && contains(node, isCall))
}

/** Whether an endless loop starts background processes, and has nothing that waits, pauses or ends it. */
function isForkLoop(loop: While | ArithmeticFor): boolean {
  if (loop.type === 'ArithmeticFor' ? loop.test !== undefined : !isEndless(loop)) return false
  const waitsOrEnds = (node: SyntaxNode): boolean =>
    node.type === 'Command' && /^(?:wait|sleep|read|break|exit)$/.test(node.name?.value ?? '')
  if (contains(loop.body, waitsOrEnds)) return false
  return contains(loop.body, (node) => node.type === 'Statement' && node.background === true)
}

function isEndless({ kind, clause }: While): boolean {
  const [statement, ...others] = clause.commands
  const command = statement?.command
  if (others.length > 0 || !command) return false
  if (command.type === 'ArithmeticCommand') return kind === 'while' && /^\s*1\s*$/.test(command.body)
  const name = command.type === 'Command' ? command.name?.value : undefined
  return kind === 'while' ? name === 'true' || name === ':' : name === 'false'
}

function contains(node: SyntaxNode, matches: (node: SyntaxNode) => boolean): boolean {
  if (matches(node)) return true
  let isInside = false
  forEachChild(node, (child) => {
    isInside ||= contains(child, matches)
  })
  return isInside
}
