import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../../src/semantic/query.js'
import {
  chunkOf, countOf, Dictionary, fieldOf, numberTerms, packPosting, splitWord, stem, termsOf, wordsOf,
} from '../../../3-code-index/src/passages/index.js'
import { relatedTerms } from '../../src/semantic/related-terms.js'

describe('splitWord', () => {
  it.each([
    ['parseHTTPResponse2', ['parse', 'HTTP', 'Response', '2']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['SCREAMING_CASE', ['SCREAMING', 'CASE']],
    ['utf8Decoder', ['utf', '8', 'Decoder']],
    ['allIDs', ['all', 'IDs']],
    ['XMLHttpRequest', ['XML', 'Http', 'Request']],
    ['__init__', ['init']],
    ['größeÄndern', ['größe', 'Ändern']],
    ['日本語', ['日本語']],
    ['A', ['A']],
    ['_', []],
  ])('%s', (word, parts) => {
    expect(splitWord(word)).toEqual(parts)
  })

  it('loses no letter and no digit, whatever the word', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const word of wordsOf(text)) expect(splitWord(word).join('')).toBe(word.replaceAll('_', ''))
      expect(wordsOf(text).join('')).toBe((text.normalize('NFC').match(/[\p{L}\p{M}\p{N}_]/gu) ?? []).join(''))
    }))
  })
})

describe('termsOf', () => {
  it('holds the parts and the whole', () => {
    expect(termsOf('parseHTTPResponse2')).toEqual(['pars', 'http', 'respons', '2', 'parsehttpresponse2'])
    expect(termsOf('parse_http_response2')).toEqual(termsOf('parseHTTPResponse2'))
  })

  it('finds text without spaces by pairs of characters', () => {
    expect(termsOf('設定を読む')).toEqual(['設定', '定を', 'を読', '読む'])
    expect(termsOf('설정을')).toEqual(['설정', '정을'])
  })

  it('yields the same each time, and only what terms may hold', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(termsOf(text)).toEqual(termsOf(text))
      for (const term of termsOf(text)) expect(term).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
    }))
  })
})

describe('stem', () => {
  it.each([
    ['parse', 'parses', 'parsed', 'parsing', 'parser'], ['directory', 'directories'], ['copy', 'copies', 'copied'],
    ['match', 'matches', 'matched', 'matching'], ['execute', 'executes', 'execution', 'executor'],
    ['split', 'splits', 'splitting', 'splitter'],
    ['validate', 'validation', 'validator'], ['call', 'calling', 'caller'],
  ])('%s and its forms', (word, ...forms) => {
    expect(forms.map(stem)).toEqual(forms.map(() => stem(word)))
  })

  it.each(['string', 'need', 'bus', 'class', 'http', 'größe', 'status', 'this'])('leaves %s alone', (word) => {
    expect(stem(word)).toBe(word)
  })
})

it('a posting holds what it was made of, and counts up to 4,095', () => {
  const posting = fc.record({
    chunk: fc.nat(2 ** 17 - 1), field: fc.nat(7), count: fc.integer({ min: 1, max: 10_000 }),
  })
  fc.assert(fc.property(posting, ({ chunk, field, count }) => {
    const packed = packPosting({ chunk, field, count })
    expect([chunkOf(packed), fieldOf(packed), countOf(packed)]).toEqual([chunk, field, Math.min(count, 4095)])
  }))
})

it('a dictionary gives each term one number', () => {
  fc.assert(fc.property(fc.array(fc.stringMatching(/^[a-c]{1,3}$/)), (terms) => {
    const dictionary = new Dictionary()
    const numbers = terms.map((term) => dictionary.add(term))
    expect(numbers.map((number) => dictionary.terms[number])).toEqual(terms)
    expect(dictionary.size).toBe(new Set(terms).size)
  }))
})

it('terms keep their postings, in the order of their numbers', () => {
  const term = fc.stringMatching(/^[a-c]{1,3}$/)
  const postings = fc.array(fc.nat(2 ** 32 - 1), { minLength: 1, maxLength: 4 })
  fc.assert(fc.property(fc.array(term), fc.dictionary(term, postings), (known, ofTerms) => {
    const dictionary = new Dictionary()
    for (const each of known) dictionary.add(each)
    const lists = Object.values(ofTerms)
    const ends = lists.map((_, i) => lists.slice(0, i + 1).flat().length)
    const { terms, starts, postings: all } = numberTerms({
      terms: Object.keys(ofTerms), starts: Uint32Array.from([0, ...ends]), postings: Uint32Array.from(lists.flat()),
      numbers: new Uint32Array(), labels: new Uint8Array(),
    }, dictionary)
    expect([...terms]).toEqual([...terms].sort((a, b) => a - b))
    const numbered = Array.from(terms, (number, i) => (
      [dictionary.terms[number], Array.from(all.subarray(starts[i], starts[i + 1]))]
    ))
    expect(Object.fromEntries(numbered)).toEqual({ ...ofTerms })
  }))
})

describe('relatedTerms', () => {
  const related = (query: string, vocabulary: string): string[] => {
    const terms = vocabulary.split(' ')
    return Array.from(relatedTerms([query], terms), ([number]) => terms[number]!).sort()
  }

  it.each([
    ['argument', 'arg argument army', ['arg', 'argument']],
    ['config', 'cfg config configurat confirm', ['config', 'configurat']],
    ['cfg', 'config confirm message', ['config']],
    ['message', 'msg mess manage', ['mess', 'msg']],
    ['id', 'idea identifier id', ['id']],
    ['настройки', 'настроек настоящий', ['настроек']],
    ['الإعدادات', 'إعدادات', ['إعدادات']],
    ['xylophone', 'xml phone', []],
  ])('of %s among %s', (query, vocabulary, expected) => {
    expect(related(query, vocabulary)).toEqual(expected.sort())
  })
})

describe('readQuery', () => {
  it('leaves out what questions are made of, unless there is nothing else', () => {
    expect(readQuery('Where is the config file parsed?').terms).toEqual(['config', 'fil', 'pars'])
    expect(readQuery('what is this').terms).toEqual(['what', 'is', 'this'])
    expect(readQuery('??? ... ___').terms).toEqual([])
  })

  it('keeps words as they were written', () => {
    expect([...readQuery('Where is parseHeader?').words]).toEqual([['parseHeader', ['pars', 'head', 'parseheader']]])
  })
})
