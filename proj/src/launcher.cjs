#!/usr/bin/env node
'use strict'
/**
 * Starts the command line. Under the Node version that built the package, its chunks are compiled with V8's code cache
 * from the build: compiling would take most of a short run. Under any other version they are loaded as usual.
 */
const { readFileSync } = require('fs')
const { homedir } = require('os')
const { dirname, isAbsolute, join } = require('path')
const { Script } = require('vm')

/**
 * Both are filled in by the build; names of chunks are hashes of their content, so that a cache never belongs to
 * another one.
 */
const MAIN = '@MAIN@'
const BUILT_WITH = '@BUILT_WITH@'
/** Modules of Node and packages that few runs need, and that take milliseconds to load: loaded at first use. */
const LAZY = /^node:(?:\w+\/promises|child_process|crypto|http|net|readline|stream|v8|zlib)$|\/packages\//

/** By path of their cache file. */
const scripts = new Map()
const modules = new Map()

function start() {
  load(join(__dirname, MAIN))
}

function load(file) {
  const known = modules.get(file)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(file, module)
  const directory = dirname(file)
  const own = (id) => {
    const get = id[0] === '.' ? () => load(join(directory, id)) : () => require(id)
    return LAZY.test(id) ? lazy(get) : get()
  }
  // A compiled script has no import() of its own.
  Object.assign(own, require, { import: (id) => import(id) })
  compile(file).runInThisContext()(module.exports, own, module, file, directory)
  return module.exports
}

function compile(file) {
  const code = readFileSync(file, 'latin1')
  const cache = `${file}.cache`
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: file, cachedData: contentOf(cache),
  })
  scripts.set(cache, script)
  return script
}

function contentOf(cache) {
  try {
    return readFileSync(cache)
  } catch (error) {
    // The cache only speeds up the start: if it cannot be read, go on without.
    if (error.code === undefined) throw error
    return undefined
  }
}

/** A stand-in for a module, which is loaded when a property is first used. */
function lazy(get) {
  return new Proxy({}, {
    get: (_, name) => get()[name],
    has: (_, name) => name in get(),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, name) => {
      const found = Reflect.getOwnPropertyDescriptor(get(), name)
      return found && { ...found, configurable: true }
    },
  })
}

if (require.main !== module) module.exports = { start, scripts }
else if (BUILT_WITH === `${process.version} ${process.platform} ${process.arch}`) start()
else {
  const named = process.env['HERMES_HOME'] ?? ''
  // Node 22 and later. V8 trusts the cache, so it must lie where no run writes: not among temporary files.
  require('module').enableCompileCache?.(join(isAbsolute(named) ? named : join(homedir(), '.hermes'), 'cache', 'code'))
  require(join(__dirname, MAIN))
}
