import { MessagePage } from '@/components/app/message-page'

/** In the place of a chat that a link does not open: the same for every reason. */
export function DeadLink() {
  return (
    <MessagePage title="This link opens nothing" link="Start a chat of your own">
      It may have expired, or its owner has revoked it or deleted the chat; or a letter of it is missing. Ask
      the person who sent it to you for a new one.
    </MessagePage>
  )
}
