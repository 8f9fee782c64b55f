/** An event `e` as `upcast` takes it. */
export const eventColumns = `e.chat_id || ':' || e.seq as id, e.chat_id as "chatId", e.seq::float8 as seq,
  e.stream_id as "streamId", e.event_number as "eventNumber", e.type, e.version, e.payload,
  epoch_ms(e.created_at) as "createdAt"`
