'use client'

import { useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import { useLoaded } from '@/components/session/read-chat'
import type { ContextPreset, PresetContent, Problem } from '@/lib/protocol'

const address = '/api/context-presets'

/** The presets of the person at the page, and what can be done with them. */
export function usePresets() {
  const { api } = useApp()
  const [presets, setPresets] = useState<readonly ContextPreset[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const loading = useLoaded<{ presets: ContextPreset[] }>(address, (answer) => setPresets(answer.presets))

  const request = async (method: string, id: string, body?: object): Promise<Response | null> => {
    setBusy(true)
    setProblem(null)
    const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await api
      .fetch(id === '' ? address : `${address}/${id}`, { method, ...sent })
      .catch((error: unknown) => {
        setProblem(problemOf(error, unreached))
        return null
      })
    setBusy(false)
    return response
  }
  const put = async (response: Response | null): Promise<boolean> => {
    if (!response) return false
    const preset = (await response.json()) as ContextPreset
    setPresets((all) =>
      [...(all ?? []).filter(({ id }) => id !== preset.id), preset].sort((a, b) =>
        a.name.localeCompare(b.name),
      ),
    )
    return true
  }
  return {
    presets,
    loading,
    problem,
    busy,
    /** saves a context under a name; a preset of that name is changed */
    async save(name: string, content: PresetContent): Promise<boolean> {
      const same = presets?.find((preset) => preset.name.toLowerCase() === name.trim().toLowerCase())
      return put(
        same ? await request('PUT', same.id, { content }) : await request('POST', '', { name, content }),
      )
    },
    rename: async (id: string, name: string) => put(await request('PUT', id, { name })),
    async remove(id: string): Promise<boolean> {
      if (!(await request('DELETE', id))) return false
      setPresets((all) => all?.filter((preset) => preset.id !== id) ?? null)
      return true
    },
  }
}
