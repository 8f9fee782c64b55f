import { describe, expect, it } from 'vitest'
import { modelIn, withModel } from '@/lib/gateway/with-model'

describe('withModel', () => {
  it.each([
    ['{"model":"a"}', '{"model":"b"}'],
    [
      '{ "n": 1e400, "model" :\n "a\\"c" , "z":[{"model":"a"}]}',
      '{ "n": 1e400, "model" :\n "b" , "z":[{"model":"a"}]}',
    ],
    ['{"x":{"model":"a"},"model":"a"}', '{"x":{"model":"a"},"model":"b"}'],
    ['{"y":"model","model":"a"}', '{"y":"model","model":"b"}'],
    ['{"mod\\u0065l":"a"}', '{"mod\\u0065l":"b"}'],
    ['{"text":"\\\\","model":"a"}', '{"text":"\\\\","model":"b"}'],
    ['{"model" : "b","n":1e400,"z":{"model":"a"}}', '{"model" : "b","n":1e400,"z":{"model":"a"}}'],
    ['{"model":"b","n":1,"model":"a"}', '{"model":"b","n":1,"model":"b"}'],
  ])('given %s, then only the name of the model differs', (json, expected) => {
    expect(withModel(json, 'b')).toBe(expected)
  })

  it('given two names, then both are replaced: no parser reads the one that was not looked at', () => {
    expect(withModel('{"model":"dear","model":"cheap"}', 'b')).toBe('{"model":"b","model":"b"}')
  })
})

describe('modelIn', () => {
  it.each([
    ['{"model":"a","messages":[{"role":"us', 'a'],
    ['{ "stream" : true, "tools": [{"model":"z"}], "model" : "a\\"b", "mess', 'a"b'],
    ['{"model":"a', undefined],
    ['{"model', undefined],
    ['{"model":', undefined],
    ['{"messages":[{"content":"\\"model\\":\\"z\\"', undefined],
    ['', undefined],
  ])('given the beginning %s, then the model is %s', (json, model) => {
    expect(modelIn(json)).toBe(model)
  })
})
