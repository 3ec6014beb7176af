import type { CompilerOptions, LanguageServiceHost, ParseConfigHost } from 'typescript'
import type { MessagePort } from 'node:worker_threads'
import type { TypeScript } from './load-typescript.js'

/** A file that the run changed. */
export interface ChangedScript {
  /** Absolute. */
  path: string
  /** Text before the run; absent for a new file. */
  before?: string
  after: string
}

/** An error of the language service. */
export interface ScriptProblem {
  /** From 1. */
  line: number
  /** `TS2304`. */
  code: string
  message: string
}

/** The thread's input. */
export interface CheckJob {
  /** TypeScript's code, and the path of its file. */
  code: string
  file: string
  /** Port for requests to the main thread; setting `answered` signals each answer. */
  questions: MessagePort
  answered: Int32Array
  /** Changed files by nearest configuration. */
  projects: readonly { config: string; scripts: readonly ChangedScript[] }[]
  /** Most files of a project for which all are checked. */
  mostFiles: number
}

/** Functions that run in the main thread, called by name and arguments. */
export interface Outside {
  readFile: (path: string) => string | undefined
  fileExists: (path: string) => boolean
  directoryExists: (path: string) => boolean
  getDirectories: (path: string) => string[]
  realpath: (path: string) => string
  readDirectory: (
    config: string, start: string, extensions: readonly string[], excludes: readonly string[],
    includes: readonly string[],
  ) => string[]
}

/** The thread's output: new problems by file. */
export type CheckAnswer = [path: string, problems: ScriptProblem[]][]

/**
 * The whole program of a thread that finds problems which changed files have now and did not have before. It is started
 * from its own source text, so that it needs no file of the build; therefore it may use nothing but its argument and
 * types.
 *
 * A problem is new if the text before has fewer of its code and message. Files with a syntax error are left out, since
 * their other errors are noise, and so are files that no configuration includes. Problems found with only the changed
 * files, their imports and the project's declaration files are checked again with all files of the project.
 *
 * @param load Node's `require`
 */
export function checkThread(load: (id: string) => unknown): void {
  const { parentPort, receiveMessageOnPort, workerData } = load('node:worker_threads') as
    typeof import('node:worker_threads')
  const { compileFunction } = load('node:vm') as typeof import('node:vm')
  const { isBuiltin } = load('node:module') as typeof import('node:module')
  const { dirname } = load('node:path') as typeof import('node:path')
  const { code, file, questions, answered, projects, mostFiles } = workerData as CheckJob

  const ask = <Name extends keyof Outside>(
    name: Name, ...args: Parameters<Outside[Name]>
  ): ReturnType<Outside[Name]> => {
    Atomics.store(answered, 0, 0)
    questions.postMessage([name, ...args], [])
    Atomics.wait(answered, 0, 0)
    return (receiveMessageOnPort(questions) as { message: ReturnType<Outside[Name]> }).message
  }
  const once = <Value>(look: (path: string) => Value): ((path: string) => Value) => {
    const known = new Map<string, Value>()
    return (path) => {
      const earlier = known.get(path)
      if (earlier !== undefined || known.has(path)) return earlier as Value
      const value = look(path)
      known.set(path, value)
      return value
    }
  }
  const loadTypeScript = (): TypeScript => {
    const module = { exports: {} }
    const own = (id: string): unknown => {
      if (isBuiltin(id)) return load(id)
      throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' })
    }
    const run = compileFunction(
      code, ['exports', 'require', 'module', '__filename', '__dirname'], { filename: file },
    ) as (...args: unknown[]) => void
    run.call(module.exports, module.exports, own, module, file, dirname(file))
    return module.exports as TypeScript
  }

  const ts = loadTypeScript()
  const library = dirname(file)
  const isLibrary = (path: string): boolean => dirname(path) === library && /\/lib\.[^/]*d\.ts$/.test(path)
  const readFile = once((path) => (isLibrary(path) ? ts.sys.readFile(path) : ask('readFile', path)))
  const fileExists = once((path) => (isLibrary(path) ? ts.sys.fileExists(path) : ask('fileExists', path)))
  const directoryExists = once((path) => ask('directoryExists', path))
  const getDirectories = once((path) => ask('getDirectories', path))
  const realpath = once((path) => (isLibrary(path) ? path : ask('realpath', path)))
  const documents = ts.createDocumentRegistry()

  interface Project { directory: string; options: CompilerOptions; files: readonly string[]; others: readonly string[] }

  const parse = (config: string, top: string): Project => {
    const host: ParseConfigHost = {
      useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames, fileExists, readFile,
      readDirectory: (start, extensions, excludes, includes) => (
        ask('readDirectory', top, start, extensions, [...excludes ?? []], [...includes])
      ),
    }
    const { config: json = {} } = ts.readConfigFile(config, readFile) as { config?: object }
    const { options, fileNames, projectReferences = [] } = ts.parseJsonConfigFileContent(
      json, host, dirname(config), undefined, config,
    )
    const usual = options.module === undefined && options.moduleResolution === undefined
      ? { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler } : {}
    return {
      directory: dirname(config), files: fileNames, others: projectReferences.map(ts.resolveProjectReferencePath),
      // Options that only concern the output would cost time.
      options: { ...usual, ...options, noEmit: true, declaration: false, composite: false, incremental: false },
    }
  }

  /**
   * The project that includes a file: a configuration may only refer to others, such as one for sources and one for
   * tests.
   */
  const including = (config: string, path: string): Project | undefined => {
    const first = parse(config, config)
    if (first.files.includes(path)) return first
    return first.others.map((other) => parse(other, config)).find(({ files }) => files.includes(path))
  }

  const problemsIn = (
    { directory, options }: Project, roots: readonly string[], scripts: readonly ChangedScript[],
    time: 'before' | 'after',
  ): Map<string, ScriptProblem[]> => {
    const changed = new Map(scripts.map((script) => [script.path, script]))
    const exists = (path: string): boolean => {
      const script = changed.get(path)
      return script ? script[time] !== undefined : fileExists(path)
    }
    const textOf = (path: string): string | undefined => {
      const script = changed.get(path)
      return script ? script[time] : readFile(path)
    }
    const host: LanguageServiceHost = {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [...new Set([...scripts.map(({ path }) => path), ...roots])].filter(exists),
      getScriptVersion: (path) => (changed.has(path) ? time : 'read'),
      getScriptSnapshot: (path) => {
        const text = textOf(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => directory,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      fileExists: exists, readFile: textOf, directoryExists, getDirectories, realpath,
    }
    const service = ts.createLanguageService(host, documents)
    const problems = new Map<string, ScriptProblem[]>()
    for (const { path, [time]: text } of scripts) {
      if (text === undefined || service.getSyntacticDiagnostics(path).length > 0) continue
      problems.set(path, service.getSemanticDiagnostics(path).flatMap((each) => {
        if (each.category !== ts.DiagnosticCategory.Error) return []
        const line = each.file && each.start !== undefined
          ? each.file.getLineAndCharacterOfPosition(each.start).line + 1 : 1
        return [{ line, code: `TS${each.code}`, message: ts.flattenDiagnosticMessageText(each.messageText, ' ') }]
      }))
    }
    service.dispose()
    return problems
  }

  /** The new problems. Those on changed lines come first: of several of a kind, only the lines show which is new. */
  const newOnes = (
    { before = '', after }: ChangedScript, had: readonly ScriptProblem[], has: readonly ScriptProblem[],
  ): ScriptProblem[] => {
    const [old, now] = [before.split('\n'), after.split('\n')]
    const keyOf = ({ code: number, message }: ScriptProblem): string => `${number} ${message}`
    const left = new Map<string, ScriptProblem[]>()
    for (const each of had) left.set(keyOf(each), [...left.get(keyOf(each)) ?? [], each])
    const take = (each: ScriptProblem, isThis: (other: ScriptProblem) => boolean): boolean => {
      const same = left.get(keyOf(each)) ?? []
      const at = same.findIndex(isThis)
      if (at !== -1) same.splice(at, 1)
      return at !== -1
    }
    return has.filter((each) => !take(each, ({ line }) => old[line - 1] === now[each.line - 1]))
      .filter((each) => !take(each, () => true))
  }

  /**
   * Whether problems may be reported: without installed packages, imported types are unknown, and so errors in code
   * that uses them.
   */
  const isToldOf = (problems: readonly ScriptProblem[], directory: string): boolean => {
    for (let here = directory; ; here = dirname(here)) {
      if (directoryExists(`${here}/node_modules`)) return true
      if (here === dirname(here)) break
    }
    return !problems.some(({ code: number, message }) => (
      (/^TS(?:2307|2792|2875|7016)$/.test(number) && !/['"]\.{1,2}\//.test(message))
      || /^TS(?:2304|2580|2582|2584|259[0-3]|2688)$/.test(number) && /install type definitions/.test(message)
    ))
  }

  const check = (project: Project, scripts: readonly ChangedScript[]): CheckAnswer => {
    const declarations = project.files.filter((path) => /\.d\.[cm]?ts$/.test(path))
    const has = problemsIn(project, declarations, scripts, 'after')
    const looked = scripts.filter(({ path }) => {
      const problems = has.get(path) ?? []
      return problems.length > 0 && isToldOf(problems, project.directory)
    })
    if (looked.length === 0) return []
    const had = problemsIn(project, declarations, scripts, 'before')
    const fresh = looked.flatMap((script): CheckAnswer => {
      const { path, before } = script
      const old = had.get(path)
      // The text before could not be checked.
      if (before !== undefined && !old) return []
      const problems = newOnes(script, old ?? [], has.get(path) ?? [])
      return problems.length > 0 ? [[path, problems]] : []
    })
    const known = new Set([...scripts.map(({ path }) => path), ...declarations])
    if (fresh.length === 0 || project.files.every((path) => known.has(path))) return fresh
    if (project.files.length > mostFiles) return fresh
    // Files that nothing imports may declare globals.
    const whole = problemsIn(project, project.files, scripts, 'after')
    return fresh.flatMap(([path, problems]): CheckAnswer => {
      const still = new Set(whole.get(path)?.map((each) => JSON.stringify(each)))
      const left = problems.filter((each) => still.has(JSON.stringify(each)))
      return left.length > 0 ? [[path, left]] : []
    })
  }

  const answer = projects.flatMap(({ config, scripts }) => {
    const byProject = new Map<string, { project: Project; scripts: ChangedScript[] }>()
    for (const script of scripts) {
      const project = including(config, script.path)
      if (!project) continue
      const key = JSON.stringify([project.directory, project.files])
      const group = byProject.get(key) ?? { project, scripts: [] }
      group.scripts.push(script)
      byProject.set(key, group)
    }
    return [...byProject.values()].flatMap((group) => check(group.project, group.scripts))
  })
  parentPort?.postMessage(answer, [])
}
