'use client'

import type { ToolServer } from '@/lib/protocol'
import { OwnServers } from './own-servers'
import { SettingsPage } from './settings-page'
import { ToolServerForm } from './tool-server-form'

/** A person's servers of tools: added, which asks them for their tools, and removed here. */
export function ToolSettingsPage({ servers }: { servers: readonly ToolServer[] }) {
  return (
    <SettingsPage title="Tools" label="Tool servers">
      <h2 className="font-medium text-lg">Your tool servers</h2>
      <p className="mt-1 text-muted">
        A model can use the tools of a server that speaks MCP over HTTP. None is offered before you switch it
        on for a branch, under Instructions, or for all new chats. A token is stored encrypted; it is never
        shown again.
      </p>
      <OwnServers
        stored={servers}
        empty="You have no tool server."
        opens="Add a server"
        secret="token"
        factOf={(server) => server.has_token && 'with a token'}
        pathOf={({ id }) => `/api/tool-servers/${id}`}
        removedWords={({ name }) => `${name} is removed.`}
        form={({ onAdded, onCancel }) => (
          <ToolServerForm
            onCancel={onCancel}
            onAdded={({ tools, ...server }) =>
              onAdded(server, `${server.name} is added: ${toolCount(tools)}.`)
            }
          />
        )}
      />
    </SettingsPage>
  )
}

const toolCount = (count: number): string => (count === 1 ? 'one tool' : `${count} tools`)
