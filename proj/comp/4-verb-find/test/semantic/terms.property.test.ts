import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../../src/semantic/query.js'
import { splitWord, wordsOf } from '../../src/semantic/split-words.js'
import { stem } from '../../src/semantic/stem.js'
import { countOf, countTerms, termsOf } from '../../src/semantic/terms.js'

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

it('counts are found again', () => {
  const term = fc.stringMatching(/^[a-c]{1,3}$/)
  fc.assert(fc.property(fc.array(term), term, (terms, other) => {
    expect(countOf(countTerms(terms), other)).toBe(terms.filter((candidate) => candidate === other).length)
  }))
})

describe('readQuery', () => {
  it('leaves out what questions are made of, unless there is nothing else', () => {
    expect([...readQuery('Where is the config file parsed?').keys()]).toEqual(['config', 'fil', 'pars'])
    expect([...readQuery('what is this').keys()]).toEqual(['what', 'is', 'this'])
    expect(readQuery('??? ... ___').size).toBe(0)
  })

  it('knows abbreviations', () => {
    expect(readQuery('cfg dir').get('cfg')).toContain('config')
  })
})
