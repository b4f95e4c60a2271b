/** Heddle's REST interface, with types made from the description that the controller serves. */
import createClient from "openapi-fetch";
import type { components, paths } from "./build/heddle.js";

/** A thing of the interface, as `Thing<"Problem">`. */
export type Thing<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** A refusal: `problem` says why, and what would help. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Thing<"Problem"> | undefined,
  ) {
    super(problem?.detail ?? `HTTP ${status}`);
  }
}

/**
 * A client of one controller.
 *
 * @param server its address, as http://127.0.0.1:8480
 * @param token a token, as `heddle serve` puts it into heddle-data/heddle.token
 */
export function heddle(server: string, token: string) {
  return createClient<paths>({
    baseUrl: server.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${token}` },
  });
}

type Asked<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** The data of an answer; throws `Refused` for a refusal. */
export async function answer<T>(asked: Asked<T>): Promise<NonNullable<T>> {
  const { data, error, response } = await asked;
  if (data === undefined || data === null) {
    throw new Refused(response.status, error as Thing<"Problem"> | undefined);
  }
  return data;
}

/** The same of a change that was not sent with `Prefer: respond-async`: no job is the answer. */
export async function done<T>(asked: Asked<T>): Promise<Exclude<NonNullable<T>, Thing<"Job">>> {
  return (await answer(asked)) as Exclude<NonNullable<T>, Thing<"Job">>;
}
