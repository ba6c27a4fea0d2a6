/** What the engine answers instead of a result: a kind of the protocol and a message. */
export class Failure extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}
