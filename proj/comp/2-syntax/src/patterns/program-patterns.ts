import { anyCase, C_COMMENT, C_FUNCTION, lines, LISP_NAME, NAME } from './pattern-kit.js'

const SHELL = {
  lines: [...lines('function', `\\s*function\\s+(?<name>[\\w:.-]+)`, `\\s*(?<name>[\\w:.-]+)\\s*\\(\\)`),
    ...lines('variable', `(?:export\\s+|typeset\\s+|readonly\\s+)*${NAME}=`)],
  comment: ['#'],
} as const

/** Patterns of programming languages. */
export const PROGRAMS = {
  perl: {
    lines: [...lines('class', '\\s*package\\s+(?<name>[\\w:]+)'), ...lines('function', '\\s*sub\\s+(?<name>[\\w:]+)'),
      ...lines('variable', '\\s*use\\s+constant\\s+(?<name>\\w+)', '(?:our|my)\\s+[$@%](?<name>\\w+)')],
    comment: ['#'], block: [['\n=', '\n=cut']],
  },
  r: {
    lines: [...lines('function', '\\s*(?<name>[\\w.]+)\\s*(?:<<?-|=)\\s*(?:function\\b|\\\\\\()'),
      ...lines('class', '\\s*(?:\\w+\\s*(?:<-|=)\\s*)?(?:setClass|setRefClass|R6Class)\\(\\s*["\'](?<name>[\\w.]+)'),
      ...lines('method', '\\s*(?:setMethod|setGeneric)\\(\\s*["\'](?<name>[^"\']+)'),
      ...lines('variable', '(?<name>[\\p{L}.][\\w.]*)\\s*(?:<<?-|=(?!=))')],
    comment: ['#'], inNames: '.',
  },
  julia: {
    lines: [...lines('class', `\\s*(?:baremodule|module|(?:mutable\\s+)?struct|abstract\\s+type|primitive\\s+type)`
      + `\\s+${NAME}`),
      ...lines('function', `\\s*function\\s+(?:(?<container>[\\w.]+)\\.)?(?<name>[\\p{L}_][\\p{L}\\p{N}_!]*)`,
        `\\s*macro\\s+${NAME}`,
        `(?<name>[\\p{L}_][\\p{L}\\p{N}_!]*)\\([^=]*\\)(?:\\s*::\\s*[\\w{}.]+)?(?:\\s+where\\s.*)?\\s*=(?!=)`),
      ...lines('variable', `const\\s+${NAME}`)],
    comment: ['#'], block: [['#=', '=#'], ['"""', '"""']], inNames: '!',
  },
  haskell: {
    lines: [...lines('class', `(?:data|newtype|type)(?:\\s+family|\\s+instance)?\\s+${NAME}`,
      `class\\s+(?:[^=]*=>\\s*)?${NAME}`, 'module\\s+(?<name>[\\w.]+)'),
    ...lines('function', "(?<name>[\\p{Ll}_][\\p{L}\\p{N}_']*)\\s*::"),
    ...lines('method', "\\s+(?<name>[\\p{Ll}_][\\p{L}\\p{N}_']*)\\s*::(?=.*->)")],
    comment: ['--'], block: [['{-', '-}']], inNames: "'",
  },
  ocaml: {
    lines: [...lines('class', "\\s*(?:module|class|exception)(?:\\s+type|\\s+rec|\\s+virtual)?\\s+"
      + "(?<name>[\\p{L}_][\\w']*)",
      "\\s*(?:type|and)\\s+(?:nonrec\\s+)?(?:\\([^)]*\\)\\s*|'\\w+\\s+)?(?<name>[\\p{Ll}_][\\w']*)\\s*=\\s*(?!fun\\b)"),
    ...lines('function', "(?:let|and)\\s+(?:rec\\s+)?(?<name>[\\p{Ll}_][\\w']*)(?=\\s+[\\w~?(_])",
      "val\\s+(?<name>[\\p{Ll}_][\\w']*)",
      "external\\s+(?<name>[\\p{Ll}_][\\w']*)"),
    ...lines('method', "\\s*method\\s+(?:private\\s+|virtual\\s+)*(?<name>[\\w']+)"),
    ...lines('variable', "let\\s+(?<name>[\\p{Ll}_][\\w']*)\\s*[:=]")],
    block: [['(*', '*)']], inNames: "'",
  },
  fsharp: {
    lines: [...lines('class', `\\s*(?:type|and|module|namespace)\\s+(?:private\\s+|internal\\s+|rec\\s+)*`
      + `(?<name>[\\w.]+)`),
      ...lines('method', `\\s*(?:static\\s+|abstract\\s+|override\\s+|default\\s+)*member\\s+(?:private\\s+`
        + `|inline\\s+)*(?:\\w+\\.)?${NAME}`),
      ...lines('function', `\\s*(?:let|and)\\s+(?:rec\\s+|inline\\s+|private\\s+)*${NAME}(?=\\s+[\\w(])`),
      ...lines('variable', `(?:let|and)\\s+(?:mutable\\s+|private\\s+)*${NAME}\\s*[:=]`)],
    comment: ['//'], block: [['(*', '*)']],
  },
  visualbasic: {
    lines: [...anyCase('class', `\\s*(?:(?:public|private|friend|partial|protected|mustinherit|notinheritable)\\s+)*`
      + `(?:class|module|structure|interface|enum|namespace)\\s+(?<name>[\\w.]+)`),
      ...anyCase('method', `\\s*(?!end\\b|exit\\b)(?:\\w+\\s+)*(?:sub|function|property)\\s+${NAME}`),
      ...anyCase('variable', `\\s*(?:(?:public|private|friend|protected|shared|readonly)\\s+)+(?:const\\s+)?(?!sub`
        + `|function|property|class|module|enum|structure|interface|event|delegate)${NAME}\\s+as\\b`)],
    comment: ["'"], ignoreCase: true,
  },
  dart: {
    lines: [...lines('class', `\\s*(?:abstract\\s+|base\\s+|sealed\\s+|final\\s+|interface\\s+|mixin\\s+)*(?:class`
      + `|mixin|enum|extension(?:\\s+type)?|typedef)\\s+${NAME}`),
      ...lines('method', `\\s+(?:static\\s+|external\\s+)*(?:[\\w<>?,. ]+\\s+)?(?:get|set)\\s+${NAME}`),
      ...lines('function', C_FUNCTION),
      ...lines('variable', `\\s*(?:static\\s+|late\\s+)*(?:final|const|var)\\s+(?:[\\w<>?,. ]+\\s+)?${NAME}\\s*[=;]`)],
    ...C_COMMENT,
  },
  zig: {
    lines: [...lines('class', `\\s*(?:pub\\s+)?const\\s+${NAME}\\s*(?::\\s*type\\s*)?=\\s*(?:packed\\s+|extern\\s+)`
      + `?(?:struct|enum|union|opaque|error)\\b`),
      ...lines('function', `\\s*(?:pub\\s+|export\\s+|extern\\s+(?:"[^"]*"\\s+)?|inline\\s+|noinline\\s+)*fn\\s+`
        + `${NAME}`),
      ...lines('variable', `\\s*(?:pub\\s+|export\\s+|threadlocal\\s+)*(?:const|var)\\s+${NAME}`)],
    comment: ['//'],
  },
  nim: {
    lines: [...lines('function', `\\s*(?:proc|func|method|iterator|template|macro|converter)\\s+\`?${NAME}`),
      ...lines('class', `\\s*(?:type\\s+)?${NAME}\\*?(?:\\[[^\\]]*\\])?\\s*(?:\\{\\.[^}]*\\}\\s*)?=\\s*(?:ref\\s+`
        + `|ptr\\s+)?(?:object|enum|tuple|concept|distinct)\\b`),
      ...lines('variable', `(?:const|let|var)\\s+${NAME}`)],
    comment: ['#'], block: [['#[', ']#']],
  },
  crystal: {
    lines: [...lines('class', '\\s*(?:abstract\\s+|private\\s+)*(?:class|module|struct|enum|lib|annotation|union)'
      + '\\s+(?<name>[\\w:]+)'),
      ...lines('method', '\\s*(?:abstract\\s+|private\\s+|protected\\s+)*(?:def|macro|fun)\\s+(?:self\\.)'
        + '?(?<name>[\\w]+[?!=]?)'),
      ...lines('variable', '\\s*(?<name>\\p{Lu}[\\p{Lu}\\d_]+)\\s*=')],
    comment: ['#'], inNames: '?!',
  },
  erlang: {
    lines: [...lines('function', "(?<name>[\\p{Ll}][\\w@]*|'[^']+')\\s*\\((?=.*(?:->|when\\b|,\\s*$|\\)\\s*$))"),
      ...lines('class', '-module\\(\\s*(?<name>\\w+)', '-(?:record|type|opaque)\\(?\\s*(?<name>\\w+)'),
      ...lines('variable', '-define\\(\\s*(?<name>\\w+)')],
    comment: ['%'],
  },
  clojure: {
    lines: [...lines('function',
      `\\s*\\((?:defn-?|defmacro|defmulti|defmethod|deftest)\\s+(?:\\^\\S+\\s+)*${LISP_NAME}`),
      ...lines('class', `\\s*\\((?:ns|defprotocol|defrecord|deftype|definterface)\\s+(?:\\^\\S+\\s+)*${LISP_NAME}`),
      ...lines('variable', `\\s*\\((?:def|defonce|s/def)\\s+(?:\\^\\S+\\s+)*${LISP_NAME}`)],
    comment: [';'], inNames: '-?!*+<>=/.',
  },
  groovy: {
    lines: [...lines('class', `\\s*(?:[\\w@]+\\s+)*(?:class|interface|enum|trait)\\s+${NAME}`),
      ...lines('function', `\\s*(?:(?:public|private|protected|static|final|def)\\s+)+(?:[\\w<>\\[\\],.]+\\s+)`
        + `?${NAME}\\s*\\(`, C_FUNCTION),
      ...lines('variable', `\\s*(?:task)\\s+${NAME}`, `(?:def|final)\\s+${NAME}\\s*=`)],
    ...C_COMMENT,
  },
  objectivec: {
    lines: [...lines('class', `@(?:interface|implementation|protocol)\\s+${NAME}(?!.*;)`),
      ...lines('method', `\\s*[-+]\\s*\\([^)]*\\)\\s*${NAME}`),
      ...lines('variable', `@property\\s*(?:\\([^)]*\\))?.*?${NAME}\\s*;`, `#define\\s+${NAME}`),
      ...lines('function', C_FUNCTION)],
    ...C_COMMENT,
  },
  fortran: {
    lines: [...anyCase('class', `\\s*(?:module|program|submodule\\s*\\([^)]*\\))\\s+(?!procedure\\b)${NAME}`,
      `\\s*type(?:\\s*,[^:]*::|\\s*::|\\s)\\s*(?!is\\b)${NAME}\\s*$`),
    ...anyCase('function', `\\s*(?!end\\b)(?:[\\w*()=,]+\\s+)*(?:subroutine|function)\\s+${NAME}`),
    ...anyCase('variable', `\\s*[\\w() *=]+,\\s*parameter\\b[^:]*::\\s*${NAME}`)],
    comment: ['!'], ignoreCase: true,
  },
  pascal: {
    lines: [...anyCase('function',
      `\\s*(?:class\\s+)?(?:procedure|function|constructor|destructor|operator)\\s+(?:(?<container>\\w+)\\.)?${NAME}`),
      ...anyCase('class', `\\s*${NAME}\\s*(?:<[^>]*>)?\\s*=\\s*(?:packed\\s+)?(?:class|record|interface|object`
        + `|dispinterface)\\b(?!\\s*of)(?!\\s*;)`,
        `(?:unit|program|library)\\s+(?<name>[\\w.]+)`)],
    comment: ['//'], block: [['{', '}'], ['(*', '*)']], ignoreCase: true,
  },
  ada: {
    lines: [...anyCase('function',
      `\\s*(?:overriding\\s+|not\\s+overriding\\s+)?(?:procedure|function|entry)\\s+(?<name>[\\w.]+|"[^"]+")`),
      ...anyCase('class', `\\s*(?:private\\s+)?package\\s+(?:body\\s+)?(?<name>[\\w.]+)`,
        `\\s*(?:type|subtype|task(?:\\s+type|\\s+body)?|protected(?:\\s+type|\\s+body)?)\\s+`
          + `(?!type\\b|body\\b)${NAME}`)],
    comment: ['--'], ignoreCase: true,
  },
  powershell: {
    lines: [...anyCase('function',
      '\\s*(?:function|filter|workflow)\\s+(?:(?:global|script|local|private):)?(?<name>[\\w-]+)'),
      ...anyCase('class', `\\s*(?:class|enum)\\s+${NAME}`),
      ...anyCase('variable', '\\$(?:(?:global|script):)?(?<name>\\w+)\\s*=(?!=)')],
    comment: ['#'], block: [['<#', '#>']], inNames: '-', ignoreCase: true,
  },
  fish: {
    lines: [...lines('function', '\\s*function\\s+(?<name>[^\\s;-]\\S*)'), ...lines('variable',
      `set\\s+(?:-\\S+\\s+)*${NAME}`)],
    comment: ['#'], inNames: '-',
  },
  zsh: SHELL,
  tcl: {
    lines: [...lines('function', '\\s*(?:proc|method)\\s+(?<name>[\\w:]+)'),
      ...lines('class', '\\s*(?:oo::class\\s+create|itcl::class|namespace\\s+eval)\\s+(?<name>[\\w:]+)')],
    comment: ['#'],
  },
  lisp: {
    lines: [...lines('function',
      `\\s*\\((?:cl-)?(?:defun|defmacro|defmethod|defgeneric|defsubst|define-syntax|define-syntax-rule`
        + `|define-minor-mode|define-derived-mode)\\*?\\s+\\(?(?:setf\\s+)?${LISP_NAME}`,
      `\\s*\\(define\\s+\\(+${LISP_NAME}`),
    ...lines('class', `\\s*\\((?:cl-)?(?:defclass|defstruct|deftype|define-record-type|define-condition|defpackage`
      + `|struct)\\s+\\(?${LISP_NAME}`),
    ...lines('variable', `\\s*\\((?:defvar|defvar-local|defparameter|defconstant|defconst|defcustom|defface|defgroup`
      + `|define)\\s+${LISP_NAME}`)],
    comment: [';'], block: [['#|', '|#']], inNames: '-?!*+<>=/%',
  },
  elm: {
    lines: [...lines('class', `(?:type(?:\\s+alias)?|(?:port\\s+)?module)\\s+(?<name>[\\w.]+)`), ...lines('function',
      `(?:port\\s+)?(?<name>\\p{Ll}\\w*)\\s*:(?!:)`)],
    comment: ['--'], block: [['{-', '-}']],
  },
  gleam: {
    lines: [...lines('class', `\\s*(?:pub\\s+)?(?:opaque\\s+)?type\\s+${NAME}`), ...lines('function',
      `\\s*(?:pub\\s+)?fn\\s+${NAME}`),
      ...lines('variable', `\\s*(?:pub\\s+)?const\\s+${NAME}`)],
    comment: ['//'],
  },
  gdscript: {
    lines: [...lines('class', `\\s*(?:class|class_name|enum)\\s+${NAME}`), ...lines('function',
      `\\s*(?:static\\s+)?func\\s+${NAME}`, `\\s*signal\\s+${NAME}`),
      ...lines('variable', `(?:@?export(?:_\\w+)?(?:\\([^)]*\\))?\\s+|@?onready\\s+|static\\s+)*(?:var|const)\\s+`
        + `${NAME}`)],
    comment: ['#'],
  },
  d: {
    lines: [...lines('class', `\\s*(?:\\w+\\s+)*(?:class|struct|interface|union|enum|template|mixin\\s+template)\\s+`
      + `${NAME}`, 'module\\s+(?<name>[\\w.]+)'),
      ...lines('function', C_FUNCTION)],
    comment: ['//'], block: [['/*', '*/'], ['/+', '+/']],
  },
  cuda: {
    lines: [...lines('class', `\\s*(?:template\\s*<[^>]*>\\s*)?(?:class|struct|enum|union|namespace)\\s+`
      + `${NAME}(?!\\s*[\\w*]*\\s*[;=(])`),
      ...lines('function', C_FUNCTION), ...lines('variable', `#define\\s+${NAME}`)],
    ...C_COMMENT,
  },
} as const
