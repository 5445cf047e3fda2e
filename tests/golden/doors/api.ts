// deno-lint-ignore-file
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the server answers; needs no token. */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gives the OpenAPI document. */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mas-debate/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Debates a question over a paper. */
        post: operations["debate_paper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mas-debate/run-complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts questions to a paper, and debates one of them. */
        post: operations["debate_paper_whole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/papers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the papers that were posted, by id. */
        get: operations["list_papers"];
        put?: never;
        /** Stores a paper; for a file that is the whole body, id and title may be in the query. */
        post: operations["post_paper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/papers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a paper with its text. */
        get: operations["read_paper"];
        put?: never;
        post?: never;
        /** Removes a paper; debates over the paper keep their own copy. */
        delete: operations["remove_paper"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists convenings, newest first; counts are over the whole archive. */
        get: operations["list"];
        put?: never;
        /** Starts a convening of any kind from the keys of a configuration, except keys that name paths or addresses of the server; sources are [{name, text}], papers are paperIds. */
        post: operations["start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches the messages of the whole archive by words, best first; asks no model. */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Proposes debatable topics on a subject; asks a model. */
        post: operations["topics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a convening: its state and its result, without long texts. */
        get: operations["show"];
        put?: never;
        post?: never;
        /** Moves a convening into the archive's trash; restore brings it back. */
        delete: operations["delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a page of the messages, by number; of a speaker, a round or a kind, if asked. */
        get: operations["messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/messages/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads one message, with its rejected attempts, its fact check, its evidence, facts of custom kinds and its scores. */
        get: operations["message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a page of the scores, by the messages they are of, and every verdict. */
        get: operations["scores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads every verdict of the judges. */
        get: operations["verdicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a page of the fact checks, by the messages they check. */
        get: operations["claims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a page of the facts of kinds that a library adds, by message, kind and key. */
        get: operations["facts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finds the messages that have the words of a question; with `model` a model answers too, from the messages. */
        post: operations["ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks a convening's directory against the format: hashes, references, order, pages. */
        get: operations["verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resumes a convening that was interrupted, paused or stopped, that failed, or that waits; settings that are given replace the recorded settings. */
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/say": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says a person's turn that the convening waits for, answers a request of next_turn, or interjects. */
        post: operations["say"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/next-turn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the prompts for the model "client"; resumes a waiting or interrupted convening. */
        post: operations["next_turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pauses a running convening after the current turns; resume continues it. */
        post: operations["pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a convening of this server early, or takes it out of the queue; resume continues it. */
        post: operations["stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a new convening with the first messages of another; resume continues it. */
        post: operations["fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings a deleted convening back from the archive's trash. */
        post: operations["restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/judge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has a new panel judge a convening that has ended; the earlier judgement stays. A judge whose reply cannot be read leaves its messages unscored. */
        post: operations["judge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/brief": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes a brief of a convening that has ended, for the person who decides: briefs/N.md and brief.md. Quotations are looked up in the messages, and numbers come from the record. */
        post: operations["brief"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/flow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notes the points of a debate that has ended: flow/NNN.md, arguments.md and arguments.json, with the points that were answered, dropped and conceded. */
        post: operations["flow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the kinds of convenings, each with the schema of its configuration, and the kinds of facts that the library adds. */
        get: operations["list_kinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the known model servers, those of the server's machine that answer, and what was learned from them; with a name, the profile of the model. */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mas-debate/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts questions to a paper. */
        post: operations["paper_questions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mas-debate/postures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finds postures and topics for a question. */
        post: operations["paper_postures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/study-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts the convenings, calls and tokens of a study, and the most it can cost. */
        post: operations["plan_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the studies of the archive by id. */
        get: operations["list_studies"];
        put?: never;
        /** Plans a study from the keys of a study.yaml, except keys that name paths or addresses of the server, and runs it. */
        post: operations["start_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gives the state of a study: what is done, what failed, cost, rate and time left. */
        get: operations["study"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/debates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the convenings of a study's plan, each with its status, code and winner. */
        get: operations["study_debates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs the remaining convenings of a study, in the background. */
        post: operations["resume_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a study's run at the next message, whichever process runs it; run continues it. */
        post: operations["stop_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs the remaining convenings of a study, and failed ones again. */
        post: operations["retry_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes the report of a study, finished or not: leaderboard, diagnostics, ratings. */
        post: operations["study_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Writes the data of a study's finished convenings, with a card and a manifest. */
        post: operations["export_study"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends every event of a convening as server-sent events until the run ends; the id is the event's number, and Last-Event-ID or `after` continues from there. */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archive/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the counts of the archive as server-sent events named `change`: at once, then whenever a convening is added, removed or changed. */
        get: operations["archive_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the state of a study as server-sent events: progress while it runs, then end. */
        get: operations["study_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/studies/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the plan, the index or a file of the report or of an export of a study. */
        get: operations["study_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Opens a WebSocket: the events of the event stream; takes say, interject and pause as JSON. */
        get: operations["socket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a file of the directory. */
        get: operations["file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a file of the directory; the path has slashes, which some clients encode. */
        get: operations["file_at"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/convenings/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gives the whole transcript. */
        get: operations["export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Serves the archive as an MCP server, over streamable HTTP. */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agreement: {
            /** @description Krippendorff's alpha of all totals. */
            alpha: number | null;
            judges: {
                judge: string;
                model: string;
                rubric: string;
                scored: number;
                mean: number | null;
                /** @description The panel's alpha without the judge. */
                alphaWithout: number | null;
                /** @description The correlation with the others' mean. */
                withOthers: number | null;
                /** @description The rank correlation with the words of speeches. */
                byLength: number | null;
                /** @description The side named in each order; null for a tie. */
                votes: (string | null)[];
                /** @description Whether the judge named the same side in every order. */
                steady: boolean;
            }[];
            /** @description From criterion to the mean standard deviation among judges. */
            spread: {
                [key: string]: number;
            };
        };
        Answers: {
            id: string;
            question: string;
            /** @description How many messages were searched. */
            messages: number;
            answers: {
                seq: number;
                name: string;
                kind: string;
                round: number;
                /** @description How well the best passage fits, at most 1: near 1 where it has every word of the question. */
                score: number;
                snippet: string;
                file: string;
                /** @description The path of the message's file on this server. */
                link: string;
            }[];
            /** @description The answer of the model that was named; null without one, and for offline, which answers no question. */
            answer: {
                /** @description In the model's words; an ellipsis stands for a quotation that is in no message. */
                text: string;
                passages: {
                    /** @description The number of the message that has the words. */
                    message: number;
                    name: string;
                    /** @description Exact words of the message. */
                    quote: string;
                    file: string;
                    /** @description The path of the message's file on this server. */
                    link: string;
                }[];
                /** @description How many quotations were left out: no message has their words. */
                leftOut: number;
                /** @description How many messages the model was shown. */
                read: number;
                /** @description Messages that the model was shown in part, for lack of room. */
                cut: number[];
                model: string;
                usage: components["schemas"]["Usage"];
                latencyMs: number;
                createdAt: string;
            } | null;
            /** @description Damaged files, which are left out. */
            skipped: {
                path: string;
                problem: string;
            }[];
            /** @description Present if the filter fits no message: names of speakers, and kinds of messages. */
            known?: {
                speakers: string[];
                kinds: string[];
            };
        };
        /** @description Counts over the whole archive, not only the rows given. */
        ArchiveCounts: {
            total: number;
            matching: number;
            byStatus: {
                [key: string]: number;
            };
            byKind: {
                [key: string]: number;
            };
        };
        Audience: {
            members: number;
            /** @description Members whose stance could not be read. */
            missing: number;
            sides: {
                [key: string]: {
                    before: number;
                    after: number;
                    moved: number;
                };
            };
            /** @description A participant's id; null where no one won. */
            winner: string | null;
        };
        ClaimPage: {
            factChecks: components["schemas"]["FactCheck"][];
            /** @description `after` of the page that follows. */
            next: number | null;
            total: number;
        };
        Consensus: {
            threshold: number;
            agreed: {
                id: string;
                text: string;
                by: string[];
                /** @description The share of participants that agree. */
                share: number;
                /** @description The last stance of each participant. */
                holds: {
                    [key: string]: {
                        /** @enum {string} */
                        stance: "agree" | "disagree" | "abstain";
                        strength: number;
                        condition: string | null;
                    };
                };
            }[];
            open: {
                id: string;
                text: string;
                by: string[];
                /** @description The share of participants that agree. */
                share: number;
                /** @description The last stance of each participant. */
                holds: {
                    [key: string]: {
                        /** @enum {string} */
                        stance: "agree" | "disagree" | "abstain";
                        strength: number;
                        condition: string | null;
                    };
                };
            }[];
        };
        Convening: {
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            endReason: ("completed" | "exit_condition" | "consensus" | "impasse" | "max_turns" | "max_duration" | "max_tokens" | "max_cost" | "study_budget" | "nothing_new" | "cancelled" | "failed") | null;
            /** @description null until the convening ends. */
            outcome: ("decided" | "undecided" | "unscored") | null;
            /** @description A participant's id; null where no one won. */
            winner: string | null;
            /** @description By participant, those with a readable score; by the first judge's rubric. */
            scores: {
                [key: string]: components["schemas"]["ParticipantStanding"];
            };
            /** @description Scored participants without a total. */
            unscored: string[];
            /** @description Vote and reason of each judge. */
            reasons: {
                judge: string;
                model: string;
                /** @description A participant's id; null where no one won. */
                winner: string | null;
                /** @description Why the verdicts make no vote. */
                split: ("order or label" | "order" | "chance" | "unread" | "one pass") | null;
                /** @description The number of the verdict that is quoted. */
                verdict: number;
                /** @description The id of the quoted verdict's side, if the judge has no vote. */
                named: string | null;
                /** @description A sentence of the judge's reasons. */
                quote: string;
            }[] | null;
            strength: components["schemas"]["Strength"] | null;
            agreement: components["schemas"]["Agreement"] | null;
            /** @description Where winner, verdicts and scores do not agree. */
            contradictions: string[] | null;
            /** @description What a reader should know of the judges. */
            notes: string[] | null;
            /** @description What the protocol returned, of kinds that keep it. */
            value?: unknown;
            usage: components["schemas"]["Usage"];
            /** @description The turns that wait for a person. */
            waitingFor: {
                /** @description The participant's id. */
                participant: string;
                turn: string;
                /** @description Why the last words for the turn were rejected. */
                rejected?: string;
            }[] | null;
            factChecks: components["schemas"]["FactCheckSummary"] | null;
            audience: components["schemas"]["Audience"] | null;
            /** @description What each judge answered alone, before the debate and after. */
            baseline: {
                judge: string;
                model: string;
                before: string | null;
                after: string | null;
                changed: boolean;
            }[] | null;
            /**
             * @description Present if the offline agent or people spoke, and no model.
             * @constant
             */
            noModelSpoke?: true;
            consensus: components["schemas"]["Consensus"] | null;
            /** @description The question of a paper debate, once it is settled. */
            question: string | null;
            /** @description The postures of a paper debate. */
            postures: string[] | null;
            /** @description The topics of a paper debate. */
            topics: string[] | null;
            /** @description The path of a paper debate's report. */
            report: string | null;
            /** @description How many quotations and citations of each debater were found. */
            verification: {
                /** @description The participant's id. */
                participant: string;
                posture: string;
                verified: number;
                notFound: number;
            }[] | null;
            id: string;
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            kind: string;
            topic: string;
            /** @description ISO 8601, UTC, with milliseconds. */
            startedAt: string;
            endedAt: string | null;
            seed: number;
            participants: {
                id: string;
                name: string;
                role: string;
                position: string | null;
                model: string;
            }[];
            judges: {
                id: string;
                name: string;
                model: string;
                rubric: string;
            }[];
            sources: string[];
            papers: {
                id: string;
                title: string;
            }[];
            /** @description The convening that this is a fork of, and the last copied message. */
            parent: {
                id: string;
                seq: number;
            } | null;
            /** @description Number of messages. */
            messages: number;
            summary: string;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        ConveningPage: {
            convenings: components["schemas"]["ConveningRow"][];
            /** @description The cursor of the page that follows. */
            next: string | null;
            counts: components["schemas"]["ArchiveCounts"];
        };
        ConveningRow: {
            id: string;
            kind: string | null;
            topic: string | null;
            /** @description The question of a debate over papers, once it is known. */
            question: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            startedAt: string;
            messages: number;
            outcome: ("decided" | "undecided" | "unscored") | null;
            /** @description A participant's id; null where no one won. */
            winner: string | null;
            winnerName: string | null;
            /** @description How strong the outcome is. */
            strengthLevel: ("clear" | "narrow" | "contested" | "undecided") | null;
            /** @description The models of participants and judges. */
            models: string[];
            /** @description US dollars so far. */
            costUsd: (number | "unknown") | null;
            /** @description The id of the convening that it was forked from. */
            parent: string | null;
            /**
             * @description Present for a fork that was never resumed; its status is interrupted.
             * @constant
             */
            isNewFork?: true;
            /** @description Why the record cannot be read. */
            problem?: string;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        Deleted: {
            id: string;
        };
        Error: {
            error: {
                /** @description The key, parameter or header. */
                field?: string;
                message: string;
                /** @description What to do. */
                hint?: string;
                /** @description Stable: programs tell errors apart by the code. */
                code: string;
                /** @description Every key that is wrong, where there are several; `field` is the first. */
                fields?: {
                    /** @description The key, parameter or header. */
                    field: string;
                    message: string;
                    /** @description What to do. */
                    hint?: string;
                }[];
            };
        };
        /** @description An event, told apart by `type`. */
        Event: ({
            /** @constant */
            type: "convening-start";
            start: {
                kind: string;
                topic: string;
                participants: ({
                    id: string;
                    name: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "convening-resume";
            replayed: number;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "convening-end";
            ending: {
                status: string;
                outcome: string;
                winner: string | null;
                scores: {
                    [key: string]: unknown;
                };
                unscored: string[];
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "phase-start";
            phase: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "phase-end";
            phase: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "round-start";
            round: number;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "round-end";
            round: number;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "turn-start";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "turn-wait";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            task: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "turn-answer";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "message-delta";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            text: string;
            whole?: boolean;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "message-reset";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            reason: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "interjection";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "interruption";
            turn: {
                seq: number;
                turn: string;
                participant: string;
                name: string;
                phase: string;
                kind: string;
                round: number;
            } & {
                [key: string]: unknown;
            };
            about: number;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "limit-warning";
            limit: string;
            value: number;
            max: number;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "parameter_dropped";
            model: string;
            parameter: string;
            because: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "profile_learned";
            origin: string;
            model: string;
            key: string;
            because: string;
            learnedAt?: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "stage";
            name: string;
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "message";
            message: {
                /** @constant */
                type: "message";
                seq: number;
                turn: string;
                participant: string;
                name: string;
                role: string;
                phase: string;
                kind: string;
                round: number;
                model: string;
                attempts: number;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                sha256: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "score";
            score: {
                /** @constant */
                type: "score";
                message: number;
                participant: string;
                judge: string;
                model: string;
                rubric: string;
                scale: number[];
                status: string;
                weights: {
                    [key: string]: number;
                };
                criteria: {
                    [key: string]: number;
                };
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                reasons: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "verdict";
            verdict: {
                /** @constant */
                type: "verdict";
                judge: string;
                model: string;
                rubric: string;
                number: number;
                order: string[];
                status: string;
                winner: string | null;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                reasons: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "turn-reject";
            rejection: {
                /** @constant */
                type: "rejected";
                seq: number;
                turn: string;
                participant: string;
                attempt: number;
                guard: string;
                reason: string;
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "turn-fail";
            failure: {
                /** @constant */
                type: "failure";
                seq: number;
                turn: string;
                participant: string;
                code: string;
                attempts: number;
                createdAt: string;
                message: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "choice";
            choice: {
                /** @constant */
                type: "choice";
                key: string;
                seq: number;
                number: number;
                participant: string;
                kind: string;
                value: unknown;
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                reasons: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "context";
            context: {
                /** @constant */
                type: "context";
                number: number;
                through: number;
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "lookup";
            lookup: {
                /** @constant */
                type: "lookup";
                seq: number;
                number: number;
                turn: string;
                participant: string;
                tool: string;
                args: unknown;
                failed: boolean;
                createdAt: string;
                result: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "stop";
            stop: {
                /** @constant */
                type: "stop";
                number: number;
                reason: string;
                lastSeq: number;
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "fact-check";
            factCheck: {
                /** @constant */
                type: "fact-check";
                message: number;
                participant: string;
                mode: string;
                status: string;
                factuality: number | null;
                claims: ({
                    text: string;
                    verdict: string;
                    confidence: number;
                    sources: ({
                        title: string;
                        url: string;
                        snippet: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                } & {
                    [key: string]: unknown;
                })[];
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                reasons: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "flow";
            flow: {
                /** @constant */
                type: "flow";
                message: number;
                participant: string;
                status: string;
                points: ({
                    id: string;
                    kind: string;
                    answers: string[];
                    text: string;
                    quote: string;
                } & {
                    [key: string]: unknown;
                })[];
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "draft";
            draft: {
                /** @constant */
                type: "draft";
                seq: number;
                turn: string;
                participant: string;
                createdAt: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "thought";
            thought: {
                /** @constant */
                type: "thought";
                key: string;
                message: number;
                participant: string;
                createdAt: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "stance";
            stance: {
                /** @constant */
                type: "stance";
                key: string;
                seq: number;
                participant: string;
                status: string;
                stances: ({
                    on: string;
                    stance: string;
                    strength: number;
                } & {
                    [key: string]: unknown;
                })[];
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                reasons: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "evidence";
            evidence: {
                /** @constant */
                type: "evidence";
                turn: string;
                participant: string;
                posture: string;
                perTopic: ({
                    topic: string;
                    claim: string;
                    reasoning: string;
                    counterpoints: string[];
                    citations: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })[];
                overallPosition: string;
                citations: {
                    [key: string]: unknown;
                };
                quotations: ({
                    text: string;
                    status: string;
                } & {
                    [key: string]: unknown;
                })[];
                createdAt: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "brief";
            brief: {
                /** @constant */
                type: "brief";
                number: number;
                form: string;
                judges: string[];
                through: number;
                cruxes: ({
                    crux: string;
                    otherwise: string;
                } & {
                    [key: string]: unknown;
                })[];
                questions: ({
                    question: string;
                    why: string;
                } & {
                    [key: string]: unknown;
                })[];
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    costUsd: number | "unknown";
                } & {
                    [key: string]: unknown;
                };
                latencyMs: number;
                createdAt: string;
                recommendation: string;
            } & {
                [key: string]: unknown;
            };
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                costUsd: number | "unknown";
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "fact";
            fact: {
                /** @constant */
                type: "own";
                kind: string;
                key: string;
                message: number;
                value: unknown;
                createdAt: string;
                body: string;
            } & {
                [key: string]: unknown;
            };
            /** @description From 1, over the whole convening; 0 for a message-delta. */
            n: number;
            /** @description ISO 8601, UTC, with milliseconds. */
            at: string;
        } & {
            [key: string]: unknown;
        });
        Evidence: {
            turn: string;
            participant: string;
            posture: string;
            perTopic: {
                topic: string;
                claim: string;
                reasoning: string;
                counterpoints: string[];
                citations: {
                    paper?: {
                        chunkId: string;
                        text: string;
                        score: number;
                        paper?: string;
                        page?: number;
                        start?: number;
                        end?: number;
                        cited?: {
                            start?: number;
                            end?: number;
                            page?: number;
                        };
                        /** @enum {string} */
                        status?: "verified" | "not found";
                    }[];
                    web?: {
                        title: string;
                        url: string;
                        snippet: string;
                        /** @enum {string} */
                        status?: "verified" | "not found";
                    }[];
                };
            }[];
            overallPosition: string;
            citations: {
                paper?: {
                    chunkId: string;
                    text: string;
                    score: number;
                    paper?: string;
                    page?: number;
                    start?: number;
                    end?: number;
                    cited?: {
                        start?: number;
                        end?: number;
                        page?: number;
                    };
                    /** @enum {string} */
                    status?: "verified" | "not found";
                }[];
                web?: {
                    title: string;
                    url: string;
                    snippet: string;
                    /** @enum {string} */
                    status?: "verified" | "not found";
                }[];
            };
            quotations: {
                text: string;
                /** @enum {string} */
                status: "verified" | "not found" | "said";
                /** @enum {string} */
                from?: "paper" | "web" | "message";
                source?: string;
                start?: number;
                end?: number;
                page?: number;
                parts?: {
                    start?: number;
                    end?: number;
                    page?: number;
                }[];
                namedPage?: number;
                topic?: string;
            }[];
            verified: number;
            notFound: number;
            createdAt: string;
            seq: number;
        };
        FactCheck: {
            message: number;
            participant: string;
            /** @enum {string} */
            mode: "standard" | "strict";
            /** @enum {string} */
            status: "checked" | "unchecked";
            reason: string | null;
            factuality: number | null;
            dropped: number | null;
            claims: {
                text: string;
                quote?: string;
                /** @enum {string} */
                verdict: "true" | "misleading" | "disputed" | "false" | "unverifiable";
                omitted?: string;
                confidence: number;
                sources: {
                    title: string;
                    url: string;
                    snippet: string;
                }[];
            }[];
            model: string;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            };
            latencyMs: number;
            createdAt: string;
            reasons: string;
        };
        FactCheckSummary: {
            /** @enum {string} */
            mode: "standard" | "strict";
            /** @description Messages whose claims were looked up. */
            checked: number;
            /** @description Messages that the checker failed on. */
            unchecked: number;
            claims: number;
            true: number;
            misleading: number;
            disputed: number;
            false: number;
            unverifiable: number;
            byParticipant: {
                [key: string]: {
                    claims: number;
                    true: number;
                    misleading: number;
                    disputed: number;
                    false: number;
                    unverifiable: number;
                    /** @description 0 to 1. */
                    factuality: number | null;
                };
            };
        };
        Fork: {
            id: string;
            /** @description The id of the convening that was forked. */
            parent: string;
            at: number;
            edited: boolean;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        Health: {
            /** @constant */
            status: "ok";
            /** @description Limits of the servers that were asked by this process. */
            providers: {
                /** @description The server of models. */
                origin: string;
                /** @description Requests that may be in flight now. */
                limit: number;
                /** @description Requests in flight. */
                active: number;
                /** @description Requests that wait. */
                waiting: number;
                /** @description Milliseconds until requests are sent again. */
                pausedMs: number;
            }[];
        };
        HeldStanding: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description Whether a process runs the convening. */
            held: boolean;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        JudgedConvening: {
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            endReason: ("completed" | "exit_condition" | "consensus" | "impasse" | "max_turns" | "max_duration" | "max_tokens" | "max_cost" | "study_budget" | "nothing_new" | "cancelled" | "failed") | null;
            /** @description null until the convening ends. */
            outcome: ("decided" | "undecided" | "unscored") | null;
            /** @description A participant's id; null where no one won. */
            winner: string | null;
            /** @description By participant, those with a readable score; by the first judge's rubric. */
            scores: {
                [key: string]: components["schemas"]["ParticipantStanding"];
            };
            /** @description Scored participants without a total. */
            unscored: string[];
            /** @description Vote and reason of each judge. */
            reasons: {
                judge: string;
                model: string;
                /** @description A participant's id; null where no one won. */
                winner: string | null;
                /** @description Why the verdicts make no vote. */
                split: ("order or label" | "order" | "chance" | "unread" | "one pass") | null;
                /** @description The number of the verdict that is quoted. */
                verdict: number;
                /** @description The id of the quoted verdict's side, if the judge has no vote. */
                named: string | null;
                /** @description A sentence of the judge's reasons. */
                quote: string;
            }[] | null;
            strength: components["schemas"]["Strength"] | null;
            agreement: components["schemas"]["Agreement"] | null;
            /** @description Where winner, verdicts and scores do not agree. */
            contradictions: string[] | null;
            /** @description What a reader should know of the judges. */
            notes: string[] | null;
            /** @description What the protocol returned, of kinds that keep it. */
            value?: unknown;
            usage: components["schemas"]["Usage"];
            /** @description The turns that wait for a person. */
            waitingFor: {
                /** @description The participant's id. */
                participant: string;
                turn: string;
                /** @description Why the last words for the turn were rejected. */
                rejected?: string;
            }[] | null;
            factChecks: components["schemas"]["FactCheckSummary"] | null;
            audience: components["schemas"]["Audience"] | null;
            /** @description What each judge answered alone, before the debate and after. */
            baseline: {
                judge: string;
                model: string;
                before: string | null;
                after: string | null;
                changed: boolean;
            }[] | null;
            /**
             * @description Present if the offline agent or people spoke, and no model.
             * @constant
             */
            noModelSpoke?: true;
            consensus: components["schemas"]["Consensus"] | null;
            /** @description The question of a paper debate, once it is settled. */
            question: string | null;
            /** @description The postures of a paper debate. */
            postures: string[] | null;
            /** @description The topics of a paper debate. */
            topics: string[] | null;
            /** @description The path of a paper debate's report. */
            report: string | null;
            /** @description How many quotations and citations of each debater were found. */
            verification: {
                /** @description The participant's id. */
                participant: string;
                posture: string;
                verified: number;
                notFound: number;
            }[] | null;
            id: string;
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            kind: string;
            topic: string;
            /** @description ISO 8601, UTC, with milliseconds. */
            startedAt: string;
            endedAt: string | null;
            seed: number;
            participants: {
                id: string;
                name: string;
                role: string;
                position: string | null;
                model: string;
            }[];
            judges: {
                id: string;
                name: string;
                model: string;
                rubric: string;
            }[];
            sources: string[];
            papers: {
                id: string;
                title: string;
            }[];
            /** @description The convening that this is a fork of, and the last copied message. */
            parent: {
                id: string;
                seq: number;
            } | null;
            /** @description Number of messages. */
            messages: number;
            summary: string;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
            /** @description The result of the new panel alone. */
            panel: {
                rubric: string | null;
                judges: {
                    id: string;
                    name: string;
                    model: string;
                }[];
                /**
                 * @description completed, or the limit that ended the judging.
                 * @enum {string}
                 */
                endReason: "completed" | "exit_condition" | "consensus" | "impasse" | "max_turns" | "max_duration" | "max_tokens" | "max_cost" | "study_budget" | "nothing_new" | "cancelled" | "failed";
                /** @enum {string} */
                outcome: "decided" | "undecided" | "unscored";
                /** @description A participant's id; null where no one won. */
                winner: string | null;
                /** @description By participant, those with a readable score; by the first judge's rubric. */
                scores: {
                    [key: string]: components["schemas"]["ParticipantStanding"];
                };
                /** @description Scored participants without a total. */
                unscored: string[];
                /** @description Vote and reason of each judge. */
                reasons: {
                    judge: string;
                    model: string;
                    /** @description A participant's id; null where no one won. */
                    winner: string | null;
                    /** @description Why the verdicts make no vote. */
                    split: ("order or label" | "order" | "chance" | "unread" | "one pass") | null;
                    /** @description The number of the verdict that is quoted. */
                    verdict: number;
                    /** @description The id of the quoted verdict's side, if the judge has no vote. */
                    named: string | null;
                    /** @description A sentence of the judge's reasons. */
                    quote: string;
                }[] | null;
                strength: components["schemas"]["Strength"] | null;
                agreement: components["schemas"]["Agreement"] | null;
                /** @description Where winner, verdicts and scores do not agree. */
                contradictions: string[] | null;
                /** @description What a reader should know of the judges. */
                notes: string[] | null;
            };
        };
        Kinds: {
            kinds: {
                name: string;
                summary: string;
                /** @description The JSON schema of what a client may send. */
                configuration: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Kinds of facts whose values verification checks. */
            facts: string[];
        };
        Lesson: {
            /** @description The server. */
            origin: string;
            /** @description The model, as the server knows it. */
            model: string;
            /** @description The key of the profile. */
            key: string;
            /** @description The value before. */
            from?: unknown;
            /** @description The value from then on. */
            to: unknown;
            /** @description The server's words. */
            because: string;
            /** @description ISO 8601, UTC. */
            at: string;
        };
        Message: {
            seq: number;
            turn: string;
            participant: string;
            name: string;
            role: string;
            position: string | null;
            phase: string;
            kind: string;
            round: number;
            replyTo: number | null;
            marks: string[];
            edited: boolean | null;
            model: string;
            attempts: number;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            };
            latencyMs: number;
            createdAt: string;
            served: {
                model?: string;
                fingerprint?: string;
                requestId?: string;
                cap?: number;
                effort?: string;
            } | null;
            sha256: string;
            folded: number | null;
            body: string;
            /** @description The file in the convening's directory. */
            file: string;
            /** @description The last message that the turn's prompt could show. */
            previous?: number;
        };
        MessagePage: {
            messages: components["schemas"]["Message"][];
            /** @description `after` of the page that follows. */
            next: number | null;
            total: number;
            /** @description Damaged files, which are left out. */
            skipped: {
                path: string;
                problem: string;
            }[];
            /** @description Present if the filter fits no message: names of speakers, and kinds of messages. */
            known?: {
                speakers: string[];
                kinds: string[];
            };
        };
        MessageWithAttachments: {
            message: components["schemas"]["Message"];
            /** @description Fields that the speaker wrote in private. */
            private: {
                [key: string]: string;
            } | null;
            rejected: components["schemas"]["Rejection"][];
            factCheck: components["schemas"]["FactCheck"] | null;
            evidence: components["schemas"]["Evidence"] | null;
            own: components["schemas"]["OwnFact"][];
            scores: components["schemas"]["Score"][];
        };
        Models: {
            /** @description Null without a name, and for a model that is on no server. */
            model: {
                /** @description The model, as the server knows it. */
                id: string;
                provider: string;
                /** @description Its `/v1` included. */
                baseUrl: string;
                profile: {
                    key: string;
                    value: unknown;
                    /** @description The source: defaults, server NAME, model PATTERN, learned, user's provider. */
                    from: string;
                }[];
            } | null;
            /** @description Known model servers; empty if a name is given. */
            servers: {
                /** @description The name before the colon; empty for names without a prefix. */
                prefix: string;
                label: string;
                /** @description Its `/v1` included. */
                baseUrl: string;
                /** @description The environment variable of the key. */
                apiKeyEnv: string | null;
            }[];
            /** @description Servers of the machine that answer; empty if a name is given. */
            local: {
                prefix: string;
                label: string;
                origin: string;
                /** @description Loaded models first. */
                models: {
                    id: string;
                    /** @description Tokens; null where the server does not say. */
                    window: number | null;
                }[];
            }[];
            /** @description Lessons of the last seven days; with a name, the model's. */
            lessons: components["schemas"]["Lesson"][];
        };
        NextTurn: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
            requests: components["schemas"]["TurnRequest"][];
        };
        NotedFlow: {
            id: string;
            /** @description Number of turns that were noted now. */
            noted: number;
            /** @description Number of points. */
            points: number;
            /** @description The ids of the points that nobody answered. */
            dropped: string[];
            /** @description The ids of the points that were conceded. */
            conceded: string[];
            /** @description The text of arguments.md. */
            page: string;
            /** @description The path of arguments.md on this server. */
            link: string;
        };
        OwnFact: {
            kind: string;
            key: string;
            message: number;
            value: unknown;
            model: string | null;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            } | null;
            latencyMs: number | null;
            createdAt: string;
            body: string;
        };
        OwnFactPage: {
            facts: components["schemas"]["OwnFact"][];
            total: number;
            /** @description `offset` of the page that follows. */
            next: number | null;
        };
        Paper: {
            id: string;
            title: string;
            /** @description In UTF-16 units. */
            characters: number;
            /** @description Absent where the paper has no pages. */
            pages?: number;
        };
        PaperPostures: {
            postures: string[];
            topics: string[];
        };
        PaperQuestions: {
            questions: string[];
        };
        PaperWithText: {
            id: string;
            title: string;
            /** @description In UTF-16 units. */
            characters: number;
            /** @description Absent where the paper has no pages. */
            pages?: number;
            text: string;
        };
        Papers: {
            papers: components["schemas"]["Paper"][];
        };
        ParticipantStanding: {
            name: string;
            /** @description On the rubric's scale, four decimals. */
            total: number;
            /** @description From criterion to mean. */
            breakdown: {
                [key: string]: number;
            };
            /** @description How many scores the total rests on. */
            scored: number;
            /** @description How many scores could not be read. */
            missing: number;
            /** @description How many readable scores are not counted, because the judge has no score for the matching turn of another side. */
            unmatched?: number;
        };
        Rejection: {
            seq: number;
            turn: string;
            participant: string;
            attempt: number;
            guard: string;
            reason: string;
            model: string;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            };
            latencyMs: number;
            createdAt: string;
            body: string;
        };
        Report: {
            /** @description What was debated. */
            question: string;
            /** @description What every debater argued on. */
            topics: string[];
            /** @description What the debaters stood for, in their order, including debaters that failed. */
            postures: string[];
            /** @description The reporter's two or three paragraphs. */
            summary: string;
            /** @description By total, the best first; postures without a total are left out. */
            rankedPostures: {
                /** @description What the debater stands for. */
                posture: string;
                /** @description Its total. */
                score: number;
            }[];
            /** @description What the debate brought to light. */
            validatedInsights: string[];
            /** @description What the debaters did not agree on. */
            controversialPoints: string[];
            /** @description What web searches returned and what the papers refer to; none is invented. */
            recommendedNextReads: {
                /** @description One line. */
                title: string;
                /** @description An http or https address; empty where there is none. */
                url: string;
                /** @description What it says; empty for a reference. */
                snippet: string;
                /**
                 * @description Whether a search really returned it; absent for an entry of a paper's references.
                 * @enum {string}
                 */
                status?: "verified" | "not found";
            }[];
            /** @description Why there are no next reads. */
            noNextReads?: string;
            /** @description What the report rests on. */
            appendix: {
                /** @description Every claim, by debater. */
                perDebaterKeyClaims: {
                    /** @description What the debater stands for. */
                    posture: string;
                    claims: {
                        /** @description The topic. */
                        topic: string;
                        /** @description What is claimed on it. */
                        claim: string;
                    }[];
                }[];
                /** @description Every number, by debater. */
                scoringTable: {
                    /** @description What the debater stands for. */
                    posture: string;
                    /** @description One for each topic that was scored. */
                    perTopic: {
                        /** @description The topic. */
                        topic: string;
                        /** @description From criterion to number; of several judges the mean. */
                        scores: {
                            [key: string]: number;
                        };
                        /** @description Why; of several judges the notes of each, named. */
                        notes: string;
                        /** @description False where the topic was not argued: every number is the least of the scale. */
                        argued?: boolean;
                    }[];
                    totals: {
                        /** @description The weighted sum of byCriterion, four decimals; null where nothing could be scored. */
                        weighted: number | null;
                        /** @description From criterion to its mean over the topics, four decimals. */
                        byCriterion: {
                            [key: string]: number;
                        };
                    };
                }[];
            };
            /** @description The report as a page of markdown. */
            markdown: string;
            /** @description By debater, how far its quotations and citations could be verified: those that argued, then those that failed. */
            verification: {
                /** @description The debater's name. */
                debater: string;
                /** @description What the debater stands for. */
                posture: string;
                /** @description The number of the message with its whole argument; null for a debater that failed. */
                message: number | null;
                /** @description Quotations and citations that were found. */
                verified: number;
                /** @description Quotations and citations that were not found. */
                notFound: number;
                /** @description Its arguments, with their citations. */
                perTopic: {
                    /** @description One of the debate's topics. */
                    topic: string;
                    /** @description What is claimed. */
                    claim: string;
                    /** @description Why it follows. */
                    reasoning: string;
                    /** @description What a rival would say against it. */
                    counterpoints: string[];
                    /** @description What it rests on. */
                    citations: {
                        /** @description Passages of the papers. */
                        paper?: {
                            /** @description The id of the passage among those of all papers. */
                            chunkId: string;
                            /** @description The passage; if no look-up returned it, the words that the debater gives for it. */
                            text: string;
                            /** @description How well it fits its query, 0 to 1; 0 if no look-up returned it. */
                            score: number;
                            /** @description The paper's id. */
                            paper?: string;
                            /** @description Where it begins in the paper, in UTF-16 units. */
                            start?: number;
                            /** @description Where it ends in the paper. */
                            end?: number;
                            /** @description The page it begins on; absent where the paper has no pages. */
                            page?: number;
                            /** @description The place of the words that the debater cites; absent if it cites none, or the passage does not contain them. */
                            cited?: {
                                /** @description Where it begins in the paper, in UTF-16 units. */
                                start?: number;
                                /** @description Where it ends in the paper. */
                                end?: number;
                                /** @description The page it begins on; absent where the paper has no pages. */
                                page?: number;
                            };
                            /**
                             * @description Whether a look-up of the debater really returned it.
                             * @enum {string}
                             */
                            status?: "verified" | "not found";
                        }[];
                        /** @description Pages of the web. */
                        web?: {
                            /** @description One line. */
                            title: string;
                            /** @description An http or https address; empty where there is none. */
                            url: string;
                            /** @description What it says; empty for a reference. */
                            snippet: string;
                            /**
                             * @description Whether a search really returned it; absent for an entry of a paper's references.
                             * @enum {string}
                             */
                            status?: "verified" | "not found";
                        }[];
                    };
                }[];
                /** @description What it cites in its cross-examination. */
                citations: {
                    /** @description Passages of the papers. */
                    paper?: {
                        /** @description The id of the passage among those of all papers. */
                        chunkId: string;
                        /** @description The passage; if no look-up returned it, the words that the debater gives for it. */
                        text: string;
                        /** @description How well it fits its query, 0 to 1; 0 if no look-up returned it. */
                        score: number;
                        /** @description The paper's id. */
                        paper?: string;
                        /** @description Where it begins in the paper, in UTF-16 units. */
                        start?: number;
                        /** @description Where it ends in the paper. */
                        end?: number;
                        /** @description The page it begins on; absent where the paper has no pages. */
                        page?: number;
                        /** @description The place of the words that the debater cites; absent if it cites none, or the passage does not contain them. */
                        cited?: {
                            /** @description Where it begins in the paper, in UTF-16 units. */
                            start?: number;
                            /** @description Where it ends in the paper. */
                            end?: number;
                            /** @description The page it begins on; absent where the paper has no pages. */
                            page?: number;
                        };
                        /**
                         * @description Whether a look-up of the debater really returned it.
                         * @enum {string}
                         */
                        status?: "verified" | "not found";
                    }[];
                    /** @description Pages of the web. */
                    web?: {
                        /** @description One line. */
                        title: string;
                        /** @description An http or https address; empty where there is none. */
                        url: string;
                        /** @description What it says; empty for a reference. */
                        snippet: string;
                        /**
                         * @description Whether a search really returned it; absent for an entry of a paper's references.
                         * @enum {string}
                         */
                        status?: "verified" | "not found";
                    }[];
                };
                /** @description Every passage in quotation marks. */
                quotations: {
                    /** @description The words between the marks. */
                    text: string;
                    /**
                     * @description Whether they were found; said if only an earlier message has them, which is no evidence.
                     * @enum {string}
                     */
                    status: "verified" | "not found" | "said";
                    /**
                     * @description What they are from.
                     * @enum {string}
                     */
                    from?: "paper" | "web" | "message";
                    /** @description The paper's id, the page's address, or the message's number. */
                    source?: string;
                    /** @description Where it begins in the paper, in UTF-16 units. */
                    start?: number;
                    /** @description Where it ends in the paper. */
                    end?: number;
                    /** @description The page it begins on; absent where the paper has no pages. */
                    page?: number;
                    /** @description The places of the parts between omissions; absent where no words are left out. */
                    parts?: {
                        /** @description Where it begins in the paper, in UTF-16 units. */
                        start?: number;
                        /** @description Where it ends in the paper. */
                        end?: number;
                        /** @description The page it begins on; absent where the paper has no pages. */
                        page?: number;
                    }[];
                    /** @description The page that the speaker names, if the words are not on that page. */
                    namedPage?: number;
                    /** @description The topic of the words; absent in an overall position and in a cross-examination. */
                    topic?: string;
                }[];
            }[];
            /** @description The judges' comparison of the sides, apart from the numbers. */
            verdict: {
                /**
                 * @description Whether the judges named a winner.
                 * @enum {string}
                 */
                outcome: "decided" | "undecided" | "unscored";
                /** @description The posture that the judge, or most judges, named in every order; null where there is none. */
                winner: string | null;
                /** @description How clear the decision is, as a sentence; absent without verdicts. */
                strength?: string;
            };
            /** @description What the judges scored by; null where nothing was scored. */
            rubric: {
                /** @description Its name. */
                id: string;
                /** @description The least and the most a criterion can get. */
                scale: [
                    number,
                    number
                ];
                /** @description From criterion to weight; they sum to 1. */
                weights: {
                    [key: string]: number;
                };
            } | null;
            /** @description What a reader must know, one sentence each. */
            notes: string[];
            /** @description The papers debated. */
            papers: {
                /** @description The id by which citations name the paper. */
                id: string;
                /** @description As readers see it. */
                title: string;
            }[];
        };
        Restored: {
            id: string;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        Said: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
            /** @description The participant who speaks. */
            participant?: string;
            /** @description Whether another process says the turn. */
            left?: boolean;
            /**
             * @description Present for an interjection.
             * @constant
             */
            interjected?: true;
            /** @description Whether a process hears the interjection next. */
            held?: boolean;
        };
        Score: {
            key: string | null;
            message: number;
            participant: string;
            judge: string;
            model: string;
            rubric: string;
            scale: [
                number,
                number
            ];
            /** @enum {string} */
            status: "scored" | "unscored";
            reason: string | null;
            folded: number | null;
            weights: {
                [key: string]: number;
            };
            notApplicable: string[] | null;
            criteria: {
                [key: string]: number;
            };
            judged: {
                [key: string]: number;
            } | null;
            total: number | null;
            topics: {
                topic: string;
                criteria: {
                    [key: string]: number;
                };
                notes: string;
                /** @constant */
                argued?: false;
            }[] | null;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            };
            latencyMs: number;
            createdAt: string;
            reasons: string;
        };
        ScorePage: {
            scores: components["schemas"]["Score"][];
            verdicts: components["schemas"]["Verdict"][];
            /** @description `after` of the page that follows. */
            next: number | null;
            total: number;
        };
        SearchResults: {
            query: string;
            /** @description How many convenings were searched. */
            convenings: number;
            /** @description How many messages were searched. */
            messages: number;
            /** @description How many messages have words of the query. */
            found: number;
            results: {
                /** @description The convening's id. */
                id: string;
                topic: string;
                /** @description The question of a debate over papers, once it is known. */
                question: string | null;
                seq: number;
                name: string;
                kind: string;
                round: number;
                /** @description How well the message fits, at most 1: near 1 where it has every word of the query. */
                score: number;
                snippet: string;
                /** @description The path of the message on this server. */
                link: string;
            }[];
            /** @description Damaged files, which are left out. */
            skipped: {
                path: string;
                problem: string;
            }[];
            /** @description Present if the filter fits no message: names of speakers, and kinds of messages. */
            known?: {
                speakers: string[];
                kinds: string[];
            };
        };
        Stage: {
            stage: string;
            data: unknown;
        };
        Standing: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
            /** @description The place in the queue, from 1. */
            queuePosition: number | null;
            /** @description Why the last run of this server failed. */
            error?: {
                code: string;
                message: string;
            };
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        Strength: {
            /** @enum {string} */
            level: "clear" | "narrow" | "contested" | "undecided";
            /** @description Level, votes, steadiness and margin in one sentence. */
            sentence: string;
            votes: {
                judge: string;
                model: string;
                rubric: string;
                /** @description A participant's id; null where no one won. */
                winner: string | null;
                /** @description Why the verdicts make no vote. */
                split: ("order or label" | "order" | "chance" | "unread" | "one pass") | null;
                /** @description Verdicts of the judge. */
                askings: number;
                /** @description Whether the judge was asked since the panel tied. */
                tiebreak: boolean;
            }[];
            judgeNotes: {
                /** @enum {string} */
                kind: "one model" | "model of a side" | "same scores" | "one criterion" | "length" | "order or label" | "chance" | "shortened" | "profile";
                judge: string | null;
                sentence: string;
            }[];
            /** @description Whether every pass was asked more than once. */
            steadinessMeasured: boolean;
            /** @description The winner's total less the best other total. */
            margin: number | null;
            /** @description The margin of error (95 %) of the margin; null with too few turns. */
            spread: number | null;
        };
        Study: {
            id: string;
            /**
             * @description unfinished where convenings remain or failed; unreadable where its files are damaged.
             * @enum {string}
             */
            state: "running" | "unfinished" | "completed" | "unreadable";
            /** @description Why the study is unfinished; null if it is not. */
            why: string | null;
            /** @description Convenings of the plan. */
            planned: number;
            /** @description Convenings that ended. */
            done: number;
            /** @description Convenings that failed. */
            failed: number;
            /** @description Convenings that a process runs. */
            running: number;
            /** @description Failed convenings by the code of the error. */
            codes: {
                [key: string]: number;
            };
            /** @description Convenings a minute; null where too few ended. */
            perMinute: number | null;
            /** @description Minutes until the end at this rate, about. */
            minutesLeft: number | null;
            /** @description US dollars so far, as far as prices are known. */
            costUsd: number;
            /** @description The limit in US dollars; null for none. */
            maxCost: number | null;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        StudyDebate: {
            /** @description The convening's id. */
            id: string;
            /** @description The topic; of a paper debate its question. */
            topic: string;
            format: string;
            /** @description The repeat of pair, topic and format, from 1. */
            repeat: number;
            /** @description The contestant in the first seat. */
            first: string | null;
            second: string | null;
            /** @enum {string} */
            status: "planned" | "running" | "interrupted" | "paused" | "waiting" | "completed" | "stopped" | "failed";
            /** @description Code of the error of a convening that failed. */
            code: string | null;
            /** @description The contestant that won; null for none. */
            winner: string | null;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        StudyDebatePage: {
            debates: components["schemas"]["StudyDebate"][];
            total: number;
            /** @description `offset` of the page that follows. */
            next: number | null;
        };
        StudyExport: {
            id: string;
            /** @description Paths in the study's folder; over HTTP, study_file reads them. */
            files: string[];
            leftOut: {
                file: string;
                why: string;
                count: number;
            }[];
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        StudyForecast: {
            id: string;
            /** @description Convenings. */
            planned: number;
            /** @description Requests to models, without retries and repairs. */
            calls: number;
            /** @description Tokens of prompts and replies, at most. */
            maxTokens: number;
            /** @description US dollars, at most. */
            costUsd: number | "unknown";
            /** @description Calls by model. */
            models: {
                [key: string]: number;
            };
            /** @description Half the width of the widest 95 % interval of a rating, in points; null without contestants, and if the pairs or the number of debates give no rating. */
            interval: number | null;
            /** @description Keys of rates that apply to no model of the study. */
            unusedRates: string[];
        };
        StudyPage: {
            studies: components["schemas"]["Study"][];
            total: number;
            /** @description `offset` of the page that follows. */
            next: number | null;
        };
        StudyReport: {
            id: string;
            planned: number;
            /** @description Completed convenings, on which the report rests. */
            completed: number;
            /** @description Which contestant is better, and how sure; null if open. */
            finding: string | null;
            /** @description Paths in the study's folder; over HTTP, study_file reads them. */
            files: string[];
            /** @description The text of leaderboard.md. */
            page: string;
            /** @description The text of diagnostics.md. */
            notes: string;
            /** @description Paths of this server, by resource. */
            links: {
                [key: string]: string;
            };
        };
        Topics: {
            subject: string;
            topics: string[];
            /** @description The model that proposed the topics. */
            model: string;
            /**
             * @description Present if the offline agent spoke.
             * @constant
             */
            noModelSpoke?: true;
            /** @description Topics that did not come; absent if all came. */
            missing?: number;
            usage: components["schemas"]["Usage"];
        };
        TurnRequest: {
            /** @description The id that say takes as `request`. */
            id: string;
            /** @description The key of the turn or question. */
            turn: string;
            /** @description The id of the participant or judge that is asked. */
            participant: string;
            /**
             * @description A speech, a structured answer, or a summary of older turns.
             * @enum {string}
             */
            purpose: "turn" | "question" | "fold";
            /** @description From 1; above 1, the last answer was rejected or could not be read. */
            attempt: number;
            /** @description The most tokens that the answer should have. */
            maxTokens: number | null;
            /** @description The JSON schema of the answer; null for prose. */
            schema: {
                [key: string]: unknown;
            } | null;
            /** @description Messages for a model; participants' words in them are fenced. */
            prompt: {
                /** @enum {string} */
                role: "system" | "user" | "assistant";
                content: string;
            }[];
        };
        Usage: {
            /** @description Tokens read, the cached ones included. */
            inputTokens: number;
            /** @description Tokens read from the provider's prompt cache. */
            cachedInputTokens: number;
            /** @description Tokens written, hidden reasoning included. */
            outputTokens: number;
            /** @description Tokens written as hidden reasoning. */
            reasoningTokens?: number;
            /** @description US dollars; unknown for a model without a price. */
            costUsd: number | "unknown";
            /** @description Tokens written to the provider's prompt cache. */
            cacheWriteTokens?: number;
            /** @description Tokens read by an embedding model. */
            embeddingTokens?: number;
            /** @description Price table of the cost; `estimated by MODEL` where it has only a related version. */
            pricedBy?: string;
            /** @description Present if a provider reported no counts, and this program counted. */
            tokensEstimated?: boolean;
        };
        Verdict: {
            key: string | null;
            judge: string;
            model: string;
            rubric: string;
            number: number;
            pass: number | null;
            asking: number | null;
            tiebreak: boolean | null;
            order: string[];
            /** @enum {string} */
            status: "read" | "unread";
            reason: string | null;
            folded: number | null;
            shortened: number | null;
            profile: string[] | null;
            winner: string | null;
            mainReason: string | null;
            usage: {
                inputTokens: number;
                cachedInputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cacheWriteTokens?: number;
                embeddingTokens?: number;
                costUsd: number | "unknown";
                pricedBy?: string;
                tokensEstimated?: boolean;
            };
            latencyMs: number;
            createdAt: string;
            reasons: string;
        };
        Verdicts: {
            verdicts: components["schemas"]["Verdict"][];
        };
        Verification: {
            id: string;
            sound: boolean;
            status: ("queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable") | null;
            /** @description How many message files could be read. */
            messages: number;
            /** @description What could not be checked, as a sentence. */
            unchecked: string | null;
            findings: {
                path: string;
                problem: string;
                fix?: string;
            }[];
            /** @description How many findings there are. */
            total: number;
            /** @description `offset` of the page that follows. */
            next: number | null;
        };
        WrittenBrief: {
            id: string;
            brief: {
                number: number;
                /** @enum {string} */
                form: "memo" | "adr" | "questions";
                judges: string[];
                through: number;
                cut: number[] | null;
                leftOut: number | null;
                context: string | null;
                strongest: {
                    participant: string;
                    point: string;
                    message: number;
                    quote: string;
                }[] | null;
                cruxes: {
                    crux: string;
                    otherwise: string;
                    message?: number;
                    quote?: string;
                }[];
                consequences: {
                    text: string;
                    gain: boolean;
                }[] | null;
                questions: {
                    question: string;
                    why: string;
                }[];
                model: string;
                usage: {
                    inputTokens: number;
                    cachedInputTokens: number;
                    outputTokens: number;
                    reasoningTokens?: number;
                    cacheWriteTokens?: number;
                    embeddingTokens?: number;
                    costUsd: number | "unknown";
                    pricedBy?: string;
                    tokensEstimated?: boolean;
                };
                latencyMs: number;
                createdAt: string;
                recommendation: string;
            };
            /** @description The text of brief.md. */
            page: string;
            /** @description The path of brief.md on this server. */
            link: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    debate_paper: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a paper that was posted. */
                    paperId: string;
                    /** @description The number of postures, each with a debater; 3 by default. */
                    numPostures?: number;
                    /** @description A built-in rubric's id, a list of criteria scored from 0 to 1, or a whole rubric. */
                    rubric?: string | {
                        /** @description The id. */
                        id: string;
                        /** @description The weight; all weights sum to 1. */
                        weight: number;
                        /** @description The question that the criterion asks. */
                        description: string;
                        /** @description Whether only turns after another side's turn are scored. Default: false. */
                        answers?: boolean;
                        /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                        evidence?: boolean;
                        /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                        anchors?: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    }[] | {
                        /** @description The id. */
                        id: string;
                        /** @description The least and the most of a criterion. */
                        scale: [
                            number,
                            number
                        ];
                        /** @description The criteria. */
                        criteria: {
                            /** @description The id. */
                            id: string;
                            /** @description The weight; all weights sum to 1. */
                            weight: number;
                            /** @description The question that the criterion asks. */
                            description: string;
                            /** @description Whether only turns after another side's turn are scored. Default: false. */
                            answers?: boolean;
                            /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                            evidence?: boolean;
                            /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                            anchors?: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        }[];
                        /** @description The meanings of scores. */
                        anchors: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    };
                    /** @description Further papers of the same debate. */
                    paperIds?: string[];
                    /** @description The question, 10 to 1,000 characters. */
                    question: string;
                };
            };
        };
        responses: {
            /** @description The report; as text/event-stream the events progress, complete and error. */
            200: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                    "text/event-stream": string;
                };
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, stopped */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_refused, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    debate_paper_whole: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a paper that was posted. */
                    paperId: string;
                    /** @description The number of postures, each with a debater; 3 by default. */
                    numPostures?: number;
                    /** @description A built-in rubric's id, a list of criteria scored from 0 to 1, or a whole rubric. */
                    rubric?: string | {
                        /** @description The id. */
                        id: string;
                        /** @description The weight; all weights sum to 1. */
                        weight: number;
                        /** @description The question that the criterion asks. */
                        description: string;
                        /** @description Whether only turns after another side's turn are scored. Default: false. */
                        answers?: boolean;
                        /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                        evidence?: boolean;
                        /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                        anchors?: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    }[] | {
                        /** @description The id. */
                        id: string;
                        /** @description The least and the most of a criterion. */
                        scale: [
                            number,
                            number
                        ];
                        /** @description The criteria. */
                        criteria: {
                            /** @description The id. */
                            id: string;
                            /** @description The weight; all weights sum to 1. */
                            weight: number;
                            /** @description The question that the criterion asks. */
                            description: string;
                            /** @description Whether only turns after another side's turn are scored. Default: false. */
                            answers?: boolean;
                            /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                            evidence?: boolean;
                            /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                            anchors?: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        }[];
                        /** @description The meanings of scores. */
                        anchors: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    };
                    /** @description Further papers of the same debate. */
                    paperIds?: string[];
                    /** @description The generated question to debate, counted from 0; 0 by default. */
                    questionIndex?: number;
                };
            };
        };
        responses: {
            /** @description The report; as text/event-stream the events progress, complete and error. */
            200: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                    "text/event-stream": string;
                };
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, stopped */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_refused, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_papers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists the papers that were posted, by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Papers"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_paper: {
        parameters: {
            query?: {
                /** @description The id that the paper gets; without, one made from the file's name or the title. */
                id?: string;
                /** @description The title, one line. */
                title?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id that the paper gets; without, one made from the file's name or the title. */
                    id?: string;
                    /** @description The title, one line. */
                    title: string;
                    /** @description The paper's text, markdown or plain. */
                    text: string;
                };
                "multipart/form-data": {
                    /** @description A PDF, markdown or plain text file. */
                    file: string;
                    /** @description The id that the paper gets; without, one made from the file's name or the title. */
                    id?: string;
                    /** @description The title, one line. */
                    title?: string;
                };
                "application/pdf": string;
                "text/markdown": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description The paper is kept. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Paper"];
                };
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_unwritable */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    read_paper: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The paper's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads a paper with its text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperWithText"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    remove_paper: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The paper's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paper is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_unwritable */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list: {
        parameters: {
            query?: {
                /** @description The most rows. */
                limit?: number;
                /** @description `next` of the previous page. */
                cursor?: string;
                /** @description Words of the topic, the id or the winner's name. */
                q?: string;
                /** @description Only convenings with this status. */
                status?: "queued" | "running" | "waiting" | "paused" | "completed" | "stopped" | "failed" | "interrupted" | "unreadable";
                /** @description Only convenings of this kind. */
                kind?: string;
                /** @description Only convenings in which this model takes part. */
                model?: string;
                /** @description Only convenings won by the participant with this name or id. */
                winner?: string;
                /** @description Only convenings begun on this day or later, in UTC. */
                since?: string;
                /** @description Only convenings begun on this day or earlier, in UTC. */
                until?: string;
                /** @description Only convenings that cost at least this many US dollars. */
                minCost?: number;
                /** @description Only convenings that cost at most this many US dollars. */
                maxCost?: number;
                /** @description Only forks of the convening with this id. */
                parent?: string;
                /** @description The archive, or its trash with the deleted convenings. */
                folder?: "archive" | "trash";
                /** @description The order: by the start, or highest cost or most messages first. */
                sort?: "newest" | "oldest" | "cost" | "messages";
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists convenings, newest first; counts are over the whole archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConveningPage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    start: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind of the convening.
                     * @constant
                     */
                    kind: "dialogue";
                    /** @description The topic, 10 to 200 characters. */
                    topic: string;
                    /** @description The number of turns. Default: 10. */
                    maxTurns?: number;
                    /**
                     * @description The next speaker: in turn, named by the moderator, or by the highest bid. Default: round-robin.
                     * @enum {string}
                     */
                    select?: "round-robin" | "moderator" | "bids";
                    /** @description The most tokens of a turn. Default: 250. */
                    maxTokensPerTurn?: number;
                    /** @description The participants; at least two. */
                    participants?: {
                        /** @description A unique id. Default: made from the name. */
                        id?: string;
                        /** @description The name for readers. */
                        name: string;
                        /** @description The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant. */
                        role?: string;
                        /** @description The position of the participant. */
                        position?: string;
                        /** @description A persona's id, YAML file, or text for the prompt. */
                        persona?: string;
                        /** @description The aim of the participant, such as truth-seeking; shapes bids and turns. */
                        motivation?: string;
                        /** @description More instructions. */
                        systemPrompt?: string;
                        /** @description The name of the model. Default: the convening's model. */
                        model?: string;
                        /** @description 0 to 2. Default: the convening's temperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The model of every role that names none. Default: gpt-4o-mini with a key or base URL, else offline. */
                    model?: string;
                    /** @description The sampling temperature of participants, 0 to 2. Default: the provider's. */
                    temperature?: number;
                    /** @description The seed of random choices, 0 to 4294967295. Default: drawn. */
                    seed?: number;
                    /** @description Whether the user gave the seed, which then goes to models too. */
                    seedGiven?: boolean;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes. Default: low, where a model has efforts.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. Default: false. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. Default: twice the asked length, and a reserve by effort. */
                    maxOutputTokens?: number;
                    /** @description The model of the moderator. Default: the convening's model. */
                    moderatorModel?: string;
                    /** @description Limits of the whole convening. Default: none. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit. Default: 70 % of the window, for speakers at most 100000; 12000 where no window is known. */
                    maxPromptTokens?: number;
                    /** @description The language in which models are asked to write. Default: the topic's. */
                    language?: string;
                    /** @description Background texts, quoted in every prompt. */
                    sources?: {
                        /** @description The source's name. */
                        name: string;
                        /** @description The source's text. */
                        text: string;
                    }[];
                    /** @description The most tokens of all quoted sources together. Default: 4000; less in a small context window. */
                    sourceTokens?: number;
                    /** @description Formats of a whole transcript to write at the end. Default: none. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description The fewest and the most words of a spoken turn, within 200 to 1,000. Default: any number. */
                    words?: {
                        /** @description The fewest words. */
                        min: number;
                        /** @description The most words. */
                        max: number;
                    };
                    /** @description The guards by name. */
                    guards?: {
                        /** @description Turns that repeat an earlier turn. Default: reject, 0.95. */
                        repetition?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The similarity from which a turn repeats another. */
                            threshold?: number;
                        };
                        /** @description Turns that stray from topic, position and question. Default: off. */
                        coherence?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The coherence below which a turn strays; strict is 0.7. */
                            threshold?: number | "strict";
                        };
                        /** @description Turns with a refused term. Default: reject, the terms of refusedTerms. */
                        refusedTerms?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The terms. */
                            terms?: string[];
                        };
                        /**
                         * @description Turns with fewer or more words than words allows. Default: reject.
                         * @enum {string}
                         */
                        length?: "off" | "warn" | "reject";
                        /**
                         * @description Turns that a model finds unlike the speaker's persona. Default: off.
                         * @enum {string}
                         */
                        persona?: "off" | "warn" | "reject";
                    };
                    /** @description Checks of claims. Default: off. */
                    factCheck?: {
                        /**
                         * @description off; standard: false claims are marked; strict: a turn with a false claim is rejected. Default: standard.
                         * @enum {string}
                         */
                        mode?: "off" | "standard" | "strict";
                        /** @description The most claims of a turn, 1 to 5. Default: 5. */
                        maxClaims?: number;
                        /** @description The confidence from which a false claim rejects or interrupts a turn, 0 to 1. Default: 0.7. */
                        rejectFrom?: number;
                        /** @description The model that finds claims. Default: the checker's model. */
                        extractionModel?: string;
                        /** @description The model that weighs findings. Default: the convening's model. */
                        verificationModel?: string;
                        /**
                         * Format: uri
                         * @description A server of Tavily's search API. Default: TAVILY_BASE_URL, else Tavily's own.
                         */
                        searchUrl?: string;
                    };
                    /** @description The most milliseconds of one attempt at a turn. Default: none. */
                    turnMaxDuration?: number;
                    /**
                     * @description The check of the topic for abuse: by a list of words, by a provider, or none. Default: words.
                     * @enum {string}
                     */
                    topicCheck?: "words" | "provider" | "off";
                    /** @description Terms that a topic may not contain. Default: the built-in list of abuse in English. */
                    refusedTerms?: string[];
                    /** @description Templates by name, which replace the workflow's own. */
                    prompts?: {
                        [key: string]: string;
                    };
                    /** @description Prices that replace those of the built-in table. */
                    prices?: {
                        /**
                         * Format: date
                         * @description The day of the prices, such as 2026-11-01.
                         */
                        date: string;
                        /** @description Prices by model. */
                        models: {
                            [key: string]: {
                                /** @description US dollars for a million tokens of input. */
                                input: number;
                                /** @description US dollars for a million tokens of cached input. Default: input. */
                                cachedInput?: number;
                                /** @description US dollars for a million tokens written to the provider's cache. Default: input. */
                                cacheWrite?: number;
                                /** @description US dollars for a million tokens of output. */
                                output: number;
                            };
                        };
                    };
                    /** @description Whether maxCost allows models without a price, which count as free. Default: false. */
                    allowUnknownPrices?: boolean;
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. Default: 60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. Default: 300000. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. Default: 4000000. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. Default: no end. */
                    personTimeout?: number;
                } | {
                    /**
                     * @description The kind of the convening.
                     * @constant
                     */
                    kind: "debate";
                    /** @description The topic, 10 to 200 characters. */
                    topic: string;
                    /**
                     * @description A named set of settings, sides and audience; settings that are given replace the preset's. Default: none.
                     * @enum {string}
                     */
                    preset?: "alternating" | "pro-con" | "oxford" | "self-play";
                    /** @description The positions of the sides, instead of participants; two or more, all different. Default: made from the topic. */
                    positions?: string[];
                    /**
                     * @description Tone, rules and weights of criteria. Default: formal.
                     * @enum {string}
                     */
                    debateFormat?: "formal" | "casual" | "educational" | "competitive";
                    /**
                     * @description The form of a round. rebuttals: arguments and rebuttals; clash: with replies to the rebuttals; alternating: each turn answers the last; statements: a statement of each side. Default: clash; with a preset its own, else rebuttals.
                     * @enum {string}
                     */
                    exchange?: "rebuttals" | "clash" | "alternating" | "statements";
                    /** @description Whether there are opening statements. Default: true. */
                    openings?: boolean;
                    /** @description Whether there are closing statements. Default: true. */
                    closings?: boolean;
                    /**
                     * @description Plain speech; or reflection and critique in private, then speech. Default: speech.
                     * @enum {string}
                     */
                    turnForm?: "speech" | "rcr";
                    /**
                     * @description The author of the final summary. Default: the moderator, where there is one.
                     * @enum {string}
                     */
                    summaryBy?: "moderator" | "judge" | "none";
                    /**
                     * @description Reasons for the moderator to interrupt; format: the format's reasons. Default: none.
                     * @enum {string}
                     */
                    interruptions?: "none" | "facts" | "rules" | "both" | "format";
                    /** @description Whether rounds end early when nothing new is argued, and a round is added when the sides are close. Default: false. */
                    adaptive?: boolean;
                    /**
                     * @description The winner: by the judges' majority, or by the audience's change of mind. Default: judges.
                     * @enum {string}
                     */
                    decision?: "judges" | "audience";
                    /**
                     * @description What a judge scores in one request: a turn, or all turns of a round. Default: turn.
                     * @enum {string}
                     */
                    scoreBy?: "turn" | "round";
                    /** @description Listeners whose stances are asked before and after. Default: none; five where the audience decides. */
                    audience?: {
                        /** @description The name for readers. Default: Listener 1 and so on. */
                        name?: string;
                        /** @description The name of the model. Default: the judges' model. */
                        model?: string;
                        /** @description A persona's id, YAML file or text. */
                        persona?: string;
                    }[];
                    /** @description Whether each judge first answers the topic alone, to show the debate's effect. Default: false. */
                    baseline?: boolean;
                    /** @description Rounds of argument, 0 to 1,000. Default: 3. */
                    roundCount?: number;
                    /** @description The most tokens of an opening statement. Default: 300. */
                    openingStatementMaxTokens?: number;
                    /** @description The most tokens of an argument or a rebuttal. Default: 250. */
                    argumentMaxTokens?: number;
                    /** @description The most tokens of a closing statement. Default: 350. */
                    closingStatementMaxTokens?: number;
                    /** @description The most tokens of the moderator's summaries. Default: 400. */
                    summaryMaxTokens?: number;
                    /** @description Whether the moderator sums up each round. Default: true. */
                    roundSummaries?: boolean;
                    /** @description Whether openings are written at the same time, so that no side sees another's. Default: true. */
                    blindOpenings?: boolean;
                    /**
                     * @description Whether a round's advocates speak in turn or all at once. Default: sequential.
                     * @enum {string}
                     */
                    pacing?: "sequential" | "simultaneous";
                    /**
                     * @description The order of closing statements. Default: reversed; with a preset its own, else opening.
                     * @enum {string}
                     */
                    closingOrder?: "opening" | "reversed";
                    /** @description Whether closings are written at the same time, so that no side sees another's. Default: true; with a preset its own, else false. */
                    blindClosings?: boolean;
                    /** @description Whether the points of every turn are noted, and dropped points are named. Default: false. */
                    flow?: boolean;
                    /** @description The note-taker's model. Default: the moderator's. */
                    noteModel?: string;
                    /**
                     * @description The order of the sides: as given, or drawn from the seed. Default: drawn; with a preset its own, else given.
                     * @enum {string}
                     */
                    speakingOrder?: "given" | "drawn";
                    /**
                     * @description The introduction: a template's text, a model's turn; or no moderator. A new debate in a language other than English has a model's. Default: template.
                     * @enum {string}
                     */
                    moderation?: "template" | "model" | "none";
                    /** @description Whether refuted claims cap scores where facts are checked: on a criterion marked evidence, a turn gets at most the scale's maximum times the share of its claims that were not refuted. Default: true. */
                    factCap?: boolean;
                    /** @description Whether judges score the turns and name a winner. Default: true. */
                    scoringEnabled?: boolean;
                    /** @description Whether a whole transcript in markdown is written at the end. Default: false. */
                    generateFullTranscript?: boolean;
                    /**
                     * @description The form of a whole transcript to write at the end, in addition to the markdown. Default: none.
                     * @enum {string}
                     */
                    outputFormat?: "json" | "markdown" | "text";
                    /** @description The judges. Default: one judge with the moderator's model. */
                    judges?: {
                        /** @description A unique id. Default: judge, or judge-1 and so on. */
                        id?: string;
                        /** @description The name for readers. Default: Judge, or Judge 1 and so on. */
                        name?: string;
                        /** @description The name of the model. Default: the moderator's model. */
                        model?: string;
                        /** @description A rubric's id, YAML file, or the rubric. Default: the convening's rubric. */
                        rubric?: string | {
                            /** @description The id. */
                            id: string;
                            /** @description The least and the most of a criterion. */
                            scale: [
                                number,
                                number
                            ];
                            /** @description The criteria. */
                            criteria: {
                                /** @description The id. */
                                id: string;
                                /** @description The weight; all weights sum to 1. */
                                weight: number;
                                /** @description The question that the criterion asks. */
                                description: string;
                                /** @description Whether only turns after another side's turn are scored. Default: false. */
                                answers?: boolean;
                                /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                                evidence?: boolean;
                                /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                                anchors?: {
                                    /** @description The least score. */
                                    from: number;
                                    /** @description The meaning of the score. */
                                    means: string;
                                }[];
                            }[];
                            /** @description The meanings of scores. */
                            anchors: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        };
                        /** @description 0 to 2. Default: judgeTemperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The temperature of judges, 0 to 2. Default: 0 where the model takes one. */
                    judgeTemperature?: number;
                    /** @description Repeats of each pass of a verdict, to show how steady a judge is. Default: 0. */
                    verdictRepeats?: number;
                    /** @description The model of a judge that is asked only if the panel ties; its vote decides. Default: none. */
                    tiebreakModel?: string;
                    /** @description The rubric of the judges: an id, a YAML file, or the rubric. Default: the format's; of a paper debate conceptual. */
                    rubric?: string | {
                        /** @description The id. */
                        id: string;
                        /** @description The least and the most of a criterion. */
                        scale: [
                            number,
                            number
                        ];
                        /** @description The criteria. */
                        criteria: {
                            /** @description The id. */
                            id: string;
                            /** @description The weight; all weights sum to 1. */
                            weight: number;
                            /** @description The question that the criterion asks. */
                            description: string;
                            /** @description Whether only turns after another side's turn are scored. Default: false. */
                            answers?: boolean;
                            /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                            evidence?: boolean;
                            /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                            anchors?: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        }[];
                        /** @description The meanings of scores. */
                        anchors: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    };
                    /** @description The participants; at least two. */
                    participants?: {
                        /** @description A unique id. Default: made from the name. */
                        id?: string;
                        /** @description The name for readers. */
                        name: string;
                        /** @description The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant. */
                        role?: string;
                        /** @description The position of the participant. */
                        position?: string;
                        /** @description A persona's id, YAML file, or text for the prompt. */
                        persona?: string;
                        /** @description The aim of the participant, such as truth-seeking; shapes bids and turns. */
                        motivation?: string;
                        /** @description More instructions. */
                        systemPrompt?: string;
                        /** @description The name of the model. Default: the convening's model. */
                        model?: string;
                        /** @description 0 to 2. Default: the convening's temperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The model of every role that names none. Default: gpt-4o-mini with a key or base URL, else offline. */
                    model?: string;
                    /** @description The sampling temperature of participants, 0 to 2. Default: the provider's. */
                    temperature?: number;
                    /** @description The seed of random choices, 0 to 4294967295. Default: drawn. */
                    seed?: number;
                    /** @description Whether the user gave the seed, which then goes to models too. */
                    seedGiven?: boolean;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes. Default: low, where a model has efforts.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. Default: false. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. Default: twice the asked length, and a reserve by effort. */
                    maxOutputTokens?: number;
                    /** @description The model of the moderator. Default: the convening's model. */
                    moderatorModel?: string;
                    /** @description Limits of the whole convening. Default: none. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit. Default: 70 % of the window, for speakers at most 100000; 12000 where no window is known. */
                    maxPromptTokens?: number;
                    /** @description The language in which models are asked to write. Default: the topic's. */
                    language?: string;
                    /** @description Background texts, quoted in every prompt. */
                    sources?: {
                        /** @description The source's name. */
                        name: string;
                        /** @description The source's text. */
                        text: string;
                    }[];
                    /** @description The most tokens of all quoted sources together. Default: 4000; less in a small context window. */
                    sourceTokens?: number;
                    /** @description Formats of a whole transcript to write at the end. Default: none. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description The fewest and the most words of a spoken turn, within 200 to 1,000. Default: any number. */
                    words?: {
                        /** @description The fewest words. */
                        min: number;
                        /** @description The most words. */
                        max: number;
                    };
                    /** @description The guards by name. */
                    guards?: {
                        /** @description Turns that repeat an earlier turn. Default: reject, 0.95. */
                        repetition?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The similarity from which a turn repeats another. */
                            threshold?: number;
                        };
                        /** @description Turns that stray from topic, position and question. Default: off. */
                        coherence?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The coherence below which a turn strays; strict is 0.7. */
                            threshold?: number | "strict";
                        };
                        /** @description Turns with a refused term. Default: reject, the terms of refusedTerms. */
                        refusedTerms?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The terms. */
                            terms?: string[];
                        };
                        /**
                         * @description Turns with fewer or more words than words allows. Default: reject.
                         * @enum {string}
                         */
                        length?: "off" | "warn" | "reject";
                        /**
                         * @description Turns that a model finds unlike the speaker's persona. Default: off.
                         * @enum {string}
                         */
                        persona?: "off" | "warn" | "reject";
                    };
                    /** @description Checks of claims. Default: off. */
                    factCheck?: {
                        /**
                         * @description off; standard: false claims are marked; strict: a turn with a false claim is rejected. Default: standard.
                         * @enum {string}
                         */
                        mode?: "off" | "standard" | "strict";
                        /** @description The most claims of a turn, 1 to 5. Default: 5. */
                        maxClaims?: number;
                        /** @description The confidence from which a false claim rejects or interrupts a turn, 0 to 1. Default: 0.7. */
                        rejectFrom?: number;
                        /** @description The model that finds claims. Default: the checker's model. */
                        extractionModel?: string;
                        /** @description The model that weighs findings. Default: the convening's model. */
                        verificationModel?: string;
                        /**
                         * Format: uri
                         * @description A server of Tavily's search API. Default: TAVILY_BASE_URL, else Tavily's own.
                         */
                        searchUrl?: string;
                    };
                    /** @description The most milliseconds of one attempt at a turn. Default: none. */
                    turnMaxDuration?: number;
                    /**
                     * @description The check of the topic for abuse: by a list of words, by a provider, or none. Default: words.
                     * @enum {string}
                     */
                    topicCheck?: "words" | "provider" | "off";
                    /** @description Terms that a topic may not contain. Default: the built-in list of abuse in English. */
                    refusedTerms?: string[];
                    /** @description Templates by name, which replace the workflow's own. */
                    prompts?: {
                        [key: string]: string;
                    };
                    /** @description Prices that replace those of the built-in table. */
                    prices?: {
                        /**
                         * Format: date
                         * @description The day of the prices, such as 2026-11-01.
                         */
                        date: string;
                        /** @description Prices by model. */
                        models: {
                            [key: string]: {
                                /** @description US dollars for a million tokens of input. */
                                input: number;
                                /** @description US dollars for a million tokens of cached input. Default: input. */
                                cachedInput?: number;
                                /** @description US dollars for a million tokens written to the provider's cache. Default: input. */
                                cacheWrite?: number;
                                /** @description US dollars for a million tokens of output. */
                                output: number;
                            };
                        };
                    };
                    /** @description Whether maxCost allows models without a price, which count as free. Default: false. */
                    allowUnknownPrices?: boolean;
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. Default: 60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. Default: 300000. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. Default: 4000000. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. Default: no end. */
                    personTimeout?: number;
                } | {
                    /**
                     * @description The kind of the convening.
                     * @constant
                     */
                    kind: "consensus";
                    /** @description The topic, 10 to 200 characters. */
                    topic: string;
                    /** @description The share of participants that must agree, 0 to 1. Default: 0.8. */
                    threshold?: number;
                    /** @description How many turns agreement must last; as many without a change of stance are an impasse. Default: 3. */
                    stableTurns?: number;
                    /** @description The most tokens of a turn. Default: 250. */
                    maxTokensPerTurn?: number;
                    /** @description The participants; at least two. */
                    participants?: {
                        /** @description A unique id. Default: made from the name. */
                        id?: string;
                        /** @description The name for readers. */
                        name: string;
                        /** @description The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant. */
                        role?: string;
                        /** @description The position of the participant. */
                        position?: string;
                        /** @description A persona's id, YAML file, or text for the prompt. */
                        persona?: string;
                        /** @description The aim of the participant, such as truth-seeking; shapes bids and turns. */
                        motivation?: string;
                        /** @description More instructions. */
                        systemPrompt?: string;
                        /** @description The name of the model. Default: the convening's model. */
                        model?: string;
                        /** @description 0 to 2. Default: the convening's temperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The model of every role that names none. Default: gpt-4o-mini with a key or base URL, else offline. */
                    model?: string;
                    /** @description The sampling temperature of participants, 0 to 2. Default: the provider's. */
                    temperature?: number;
                    /** @description The seed of random choices, 0 to 4294967295. Default: drawn. */
                    seed?: number;
                    /** @description Whether the user gave the seed, which then goes to models too. */
                    seedGiven?: boolean;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes. Default: low, where a model has efforts.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. Default: false. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. Default: twice the asked length, and a reserve by effort. */
                    maxOutputTokens?: number;
                    /** @description The model of the moderator. Default: the convening's model. */
                    moderatorModel?: string;
                    /** @description Limits of the whole convening. Default: none. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit. Default: 70 % of the window, for speakers at most 100000; 12000 where no window is known. */
                    maxPromptTokens?: number;
                    /** @description The language in which models are asked to write. Default: the topic's. */
                    language?: string;
                    /** @description Background texts, quoted in every prompt. */
                    sources?: {
                        /** @description The source's name. */
                        name: string;
                        /** @description The source's text. */
                        text: string;
                    }[];
                    /** @description The most tokens of all quoted sources together. Default: 4000; less in a small context window. */
                    sourceTokens?: number;
                    /** @description Formats of a whole transcript to write at the end. Default: none. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description The fewest and the most words of a spoken turn, within 200 to 1,000. Default: any number. */
                    words?: {
                        /** @description The fewest words. */
                        min: number;
                        /** @description The most words. */
                        max: number;
                    };
                    /** @description The guards by name. */
                    guards?: {
                        /** @description Turns that repeat an earlier turn. Default: reject, 0.95. */
                        repetition?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The similarity from which a turn repeats another. */
                            threshold?: number;
                        };
                        /** @description Turns that stray from topic, position and question. Default: off. */
                        coherence?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The coherence below which a turn strays; strict is 0.7. */
                            threshold?: number | "strict";
                        };
                        /** @description Turns with a refused term. Default: reject, the terms of refusedTerms. */
                        refusedTerms?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The terms. */
                            terms?: string[];
                        };
                        /**
                         * @description Turns with fewer or more words than words allows. Default: reject.
                         * @enum {string}
                         */
                        length?: "off" | "warn" | "reject";
                        /**
                         * @description Turns that a model finds unlike the speaker's persona. Default: off.
                         * @enum {string}
                         */
                        persona?: "off" | "warn" | "reject";
                    };
                    /** @description Checks of claims. Default: off. */
                    factCheck?: {
                        /**
                         * @description off; standard: false claims are marked; strict: a turn with a false claim is rejected. Default: standard.
                         * @enum {string}
                         */
                        mode?: "off" | "standard" | "strict";
                        /** @description The most claims of a turn, 1 to 5. Default: 5. */
                        maxClaims?: number;
                        /** @description The confidence from which a false claim rejects or interrupts a turn, 0 to 1. Default: 0.7. */
                        rejectFrom?: number;
                        /** @description The model that finds claims. Default: the checker's model. */
                        extractionModel?: string;
                        /** @description The model that weighs findings. Default: the convening's model. */
                        verificationModel?: string;
                        /**
                         * Format: uri
                         * @description A server of Tavily's search API. Default: TAVILY_BASE_URL, else Tavily's own.
                         */
                        searchUrl?: string;
                    };
                    /** @description The most milliseconds of one attempt at a turn. Default: none. */
                    turnMaxDuration?: number;
                    /**
                     * @description The check of the topic for abuse: by a list of words, by a provider, or none. Default: words.
                     * @enum {string}
                     */
                    topicCheck?: "words" | "provider" | "off";
                    /** @description Terms that a topic may not contain. Default: the built-in list of abuse in English. */
                    refusedTerms?: string[];
                    /** @description Templates by name, which replace the workflow's own. */
                    prompts?: {
                        [key: string]: string;
                    };
                    /** @description Prices that replace those of the built-in table. */
                    prices?: {
                        /**
                         * Format: date
                         * @description The day of the prices, such as 2026-11-01.
                         */
                        date: string;
                        /** @description Prices by model. */
                        models: {
                            [key: string]: {
                                /** @description US dollars for a million tokens of input. */
                                input: number;
                                /** @description US dollars for a million tokens of cached input. Default: input. */
                                cachedInput?: number;
                                /** @description US dollars for a million tokens written to the provider's cache. Default: input. */
                                cacheWrite?: number;
                                /** @description US dollars for a million tokens of output. */
                                output: number;
                            };
                        };
                    };
                    /** @description Whether maxCost allows models without a price, which count as free. Default: false. */
                    allowUnknownPrices?: boolean;
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. Default: 60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. Default: 300000. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. Default: 4000000. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. Default: no end. */
                    personTimeout?: number;
                } | {
                    /**
                     * @description The kind of the convening.
                     * @constant
                     */
                    kind: "paper-debate";
                    /** @description The topic, 10 to 200 characters. */
                    topic?: string;
                    /** @description The question of the debate. Default: one of the questions that are proposed for the papers. */
                    question?: string;
                    /** @description The number of the question to debate, from 1; or "ask", to have a person pick. Default: 1. */
                    pick?: number | "ask";
                    /** @description The number of postures, 2 to 8; each has a debater of its own. Default: 3. */
                    postures?: number;
                    /** @description Whether the debaters answer each other before they are judged. Default: false. */
                    crossExamine?: boolean;
                    /**
                     * @description Passages of papers are found by words, by meaning, or by both. Default: keyword.
                     * @enum {string}
                     */
                    retrieval?: "keyword" | "semantic" | "hybrid";
                    /** @description The model whose vectors find passages by meaning. Default: text-embedding-3-small. */
                    embeddingModel?: string;
                    /** @description How many characters of the papers prompts show; debaters can look up the rest. Default: {"questions":100000, "postures":100000, "debaters":100000, "excerpt":"sections"}. */
                    paperCharacters?: {
                        /** @description In the prompt for questions. */
                        questions?: number;
                        /** @description In the prompt for postures and topics. */
                        postures?: number;
                        /** @description In the prompts of debaters. */
                        debaters?: number;
                        /**
                         * @description The part of a longer paper: its start, or also all headings and the sections on results and conclusions.
                         * @enum {string}
                         */
                        excerpt?: "start" | "sections";
                    };
                    /** @description The most tokens of an argument or a rebuttal. Default: 4096. */
                    argumentMaxTokens?: number;
                    /** @description Whether refuted claims cap scores where facts are checked: on a criterion marked evidence, a turn gets at most the scale's maximum times the share of its claims that were not refuted. Default: true. */
                    factCap?: boolean;
                    /** @description The most tokens of an answer to the other debaters. Default: 1000. */
                    crossExaminationMaxTokens?: number;
                    /** @description The most tokens of the reporter's summary. Default: 1000. */
                    reportMaxTokens?: number;
                    /** @description The judges. Default: one judge with the moderator's model. */
                    judges?: {
                        /** @description A unique id. Default: judge, or judge-1 and so on. */
                        id?: string;
                        /** @description The name for readers. Default: Judge, or Judge 1 and so on. */
                        name?: string;
                        /** @description The name of the model. Default: the moderator's model. */
                        model?: string;
                        /** @description A rubric's id, YAML file, or the rubric. Default: the convening's rubric. */
                        rubric?: string | {
                            /** @description The id. */
                            id: string;
                            /** @description The least and the most of a criterion. */
                            scale: [
                                number,
                                number
                            ];
                            /** @description The criteria. */
                            criteria: {
                                /** @description The id. */
                                id: string;
                                /** @description The weight; all weights sum to 1. */
                                weight: number;
                                /** @description The question that the criterion asks. */
                                description: string;
                                /** @description Whether only turns after another side's turn are scored. Default: false. */
                                answers?: boolean;
                                /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                                evidence?: boolean;
                                /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                                anchors?: {
                                    /** @description The least score. */
                                    from: number;
                                    /** @description The meaning of the score. */
                                    means: string;
                                }[];
                            }[];
                            /** @description The meanings of scores. */
                            anchors: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        };
                        /** @description 0 to 2. Default: judgeTemperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The temperature of judges, 0 to 2. Default: 0.3. */
                    judgeTemperature?: number;
                    /** @description Repeats of each pass of a verdict, to show how steady a judge is. Default: 0. */
                    verdictRepeats?: number;
                    /** @description The most tokens of a judge's reply. Default: 3000. */
                    judgeMaxTokens?: number;
                    /** @description The rubric of the judges: an id, a YAML file, or the rubric. Default: the format's; of a paper debate conceptual. */
                    rubric?: string | {
                        /** @description The id. */
                        id: string;
                        /** @description The least and the most of a criterion. */
                        scale: [
                            number,
                            number
                        ];
                        /** @description The criteria. */
                        criteria: {
                            /** @description The id. */
                            id: string;
                            /** @description The weight; all weights sum to 1. */
                            weight: number;
                            /** @description The question that the criterion asks. */
                            description: string;
                            /** @description Whether only turns after another side's turn are scored. Default: false. */
                            answers?: boolean;
                            /** @description Whether the share of claims that were not refuted caps its scores. Default: false. */
                            evidence?: boolean;
                            /** @description The meanings of scores on this criterion. Default: those of the rubric. */
                            anchors?: {
                                /** @description The least score. */
                                from: number;
                                /** @description The meaning of the score. */
                                means: string;
                            }[];
                        }[];
                        /** @description The meanings of scores. */
                        anchors: {
                            /** @description The least score. */
                            from: number;
                            /** @description The meaning of the score. */
                            means: string;
                        }[];
                    };
                    /** @description The participants; at least two. */
                    participants?: {
                        /** @description A unique id. Default: made from the name. */
                        id?: string;
                        /** @description The name for readers. */
                        name: string;
                        /** @description The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant. */
                        role?: string;
                        /** @description The position of the participant. */
                        position?: string;
                        /** @description A persona's id, YAML file, or text for the prompt. */
                        persona?: string;
                        /** @description The aim of the participant, such as truth-seeking; shapes bids and turns. */
                        motivation?: string;
                        /** @description More instructions. */
                        systemPrompt?: string;
                        /** @description The name of the model. Default: the convening's model. */
                        model?: string;
                        /** @description 0 to 2. Default: the convening's temperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The model of every role that names none. Default: gpt-4o-mini with a key or base URL, else offline. */
                    model?: string;
                    /** @description The sampling temperature of participants, 0 to 2. Default: 0.7. */
                    temperature?: number;
                    /** @description The seed of random choices, 0 to 4294967295. Default: drawn. */
                    seed?: number;
                    /** @description Whether the user gave the seed, which then goes to models too. */
                    seedGiven?: boolean;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes. Default: low, where a model has efforts.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. Default: false. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. Default: twice the asked length, and a reserve by effort. */
                    maxOutputTokens?: number;
                    /** @description Limits of the whole convening. Default: none. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit. Default: 60000. */
                    maxPromptTokens?: number;
                    /** @description The language in which models are asked to write. Default: the topic's. */
                    language?: string;
                    /** @description Background texts, quoted in every prompt. */
                    sources?: {
                        /** @description The source's name. */
                        name: string;
                        /** @description The source's text. */
                        text: string;
                    }[];
                    /** @description The most tokens of all quoted sources together. Default: 4000; less in a small context window. */
                    sourceTokens?: number;
                    /** @description Formats of a whole transcript to write at the end. Default: none. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description The fewest and the most words of a spoken turn, within 200 to 1,000. Default: any number. */
                    words?: {
                        /** @description The fewest words. */
                        min: number;
                        /** @description The most words. */
                        max: number;
                    };
                    /** @description The guards by name. */
                    guards?: {
                        /** @description Turns that repeat an earlier turn. Default: reject, 0.95. */
                        repetition?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The similarity from which a turn repeats another. */
                            threshold?: number;
                        };
                        /** @description Turns that stray from topic, position and question. Default: off. */
                        coherence?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The coherence below which a turn strays; strict is 0.7. */
                            threshold?: number | "strict";
                        };
                        /** @description Turns with a refused term. Default: reject, the terms of refusedTerms. */
                        refusedTerms?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The terms. */
                            terms?: string[];
                        };
                        /**
                         * @description Turns with fewer or more words than words allows. Default: reject.
                         * @enum {string}
                         */
                        length?: "off" | "warn" | "reject";
                        /**
                         * @description Turns that a model finds unlike the speaker's persona. Default: off.
                         * @enum {string}
                         */
                        persona?: "off" | "warn" | "reject";
                    };
                    /** @description Checks of claims. Default: off. */
                    factCheck?: {
                        /**
                         * @description off; standard: false claims are marked; strict: a turn with a false claim is rejected. Default: standard.
                         * @enum {string}
                         */
                        mode?: "off" | "standard" | "strict";
                        /** @description The most claims of a turn, 1 to 5. Default: 5. */
                        maxClaims?: number;
                        /** @description The confidence from which a false claim rejects or interrupts a turn, 0 to 1. Default: 0.7. */
                        rejectFrom?: number;
                        /** @description The model that finds claims. Default: the checker's model. */
                        extractionModel?: string;
                        /** @description The model that weighs findings. Default: the convening's model. */
                        verificationModel?: string;
                        /**
                         * Format: uri
                         * @description A server of Tavily's search API. Default: TAVILY_BASE_URL, else Tavily's own.
                         */
                        searchUrl?: string;
                    };
                    /** @description The most milliseconds of one attempt at a turn. Default: none. */
                    turnMaxDuration?: number;
                    /**
                     * @description The check of the topic for abuse: by a list of words, by a provider, or none. Default: words.
                     * @enum {string}
                     */
                    topicCheck?: "words" | "provider" | "off";
                    /** @description Terms that a topic may not contain. Default: the built-in list of abuse in English. */
                    refusedTerms?: string[];
                    /** @description Templates by name, which replace the workflow's own. */
                    prompts?: {
                        [key: string]: string;
                    };
                    /** @description Prices that replace those of the built-in table. */
                    prices?: {
                        /**
                         * Format: date
                         * @description The day of the prices, such as 2026-11-01.
                         */
                        date: string;
                        /** @description Prices by model. */
                        models: {
                            [key: string]: {
                                /** @description US dollars for a million tokens of input. */
                                input: number;
                                /** @description US dollars for a million tokens of cached input. Default: input. */
                                cachedInput?: number;
                                /** @description US dollars for a million tokens written to the provider's cache. Default: input. */
                                cacheWrite?: number;
                                /** @description US dollars for a million tokens of output. */
                                output: number;
                            };
                        };
                    };
                    /** @description Whether maxCost allows models without a price, which count as free. Default: false. */
                    allowUnknownPrices?: boolean;
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. Default: 60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. Default: 300000. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. Default: 4000000. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. Default: no end. */
                    personTimeout?: number;
                    /** @description The ids of the posted papers to debate. */
                    paperIds: string[];
                } | {
                    /**
                     * @description The kind of the convening.
                     * @constant
                     */
                    kind: "judge-check";
                    /**
                     * @description The topic in lists; the questions are the same.
                     * @default Which of two short speeches argues better?
                     */
                    topic?: string;
                    /** @description The participants; at least two. */
                    participants?: {
                        /** @description A unique id. Default: made from the name. */
                        id?: string;
                        /** @description The name for readers. */
                        name: string;
                        /** @description The role, in snake_case. Default: position_advocate in a debate, debater over papers, else participant. */
                        role?: string;
                        /** @description The position of the participant. */
                        position?: string;
                        /** @description A persona's id, YAML file, or text for the prompt. */
                        persona?: string;
                        /** @description The aim of the participant, such as truth-seeking; shapes bids and turns. */
                        motivation?: string;
                        /** @description More instructions. */
                        systemPrompt?: string;
                        /** @description The name of the model. Default: the convening's model. */
                        model?: string;
                        /** @description 0 to 2. Default: the convening's temperature. */
                        temperature?: number;
                        /**
                         * @description The effort of hidden reasoning. Default: the convening's.
                         * @enum {string}
                         */
                        reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    }[];
                    /** @description The model of every role that names none. Default: gpt-4o-mini with a key or base URL, else offline. */
                    model?: string;
                    /** @description The sampling temperature of participants, 0 to 2. Default: the provider's. */
                    temperature?: number;
                    /** @description The seed of random choices, 0 to 4294967295. Default: drawn. */
                    seed?: number;
                    /** @description Whether the user gave the seed, which then goes to models too. */
                    seedGiven?: boolean;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes. Default: low, where a model has efforts.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. Default: false. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. Default: twice the asked length, and a reserve by effort. */
                    maxOutputTokens?: number;
                    /** @description Limits of the whole convening. Default: none. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description The tokens of a prompt beyond which the oldest turns are folded into a summary, within the model's window; 0: no limit. Default: 70 % of the window, for speakers at most 100000; 12000 where no window is known. */
                    maxPromptTokens?: number;
                    /** @description The language in which models are asked to write. Default: the topic's. */
                    language?: string;
                    /** @description Background texts, quoted in every prompt. */
                    sources?: {
                        /** @description The source's name. */
                        name: string;
                        /** @description The source's text. */
                        text: string;
                    }[];
                    /** @description The most tokens of all quoted sources together. Default: 4000; less in a small context window. */
                    sourceTokens?: number;
                    /** @description Formats of a whole transcript to write at the end. Default: none. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description The fewest and the most words of a spoken turn, within 200 to 1,000. Default: any number. */
                    words?: {
                        /** @description The fewest words. */
                        min: number;
                        /** @description The most words. */
                        max: number;
                    };
                    /** @description The guards by name. */
                    guards?: {
                        /** @description Turns that repeat an earlier turn. Default: reject, 0.95. */
                        repetition?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The similarity from which a turn repeats another. */
                            threshold?: number;
                        };
                        /** @description Turns that stray from topic, position and question. Default: off. */
                        coherence?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The coherence below which a turn strays; strict is 0.7. */
                            threshold?: number | "strict";
                        };
                        /** @description Turns with a refused term. Default: reject, the terms of refusedTerms. */
                        refusedTerms?: ("off" | "warn" | "reject") | {
                            /**
                             * @description Ignore a finding, mark it, or reject the turn.
                             * @enum {string}
                             */
                            mode?: "off" | "warn" | "reject";
                            /** @description The terms. */
                            terms?: string[];
                        };
                        /**
                         * @description Turns with fewer or more words than words allows. Default: reject.
                         * @enum {string}
                         */
                        length?: "off" | "warn" | "reject";
                        /**
                         * @description Turns that a model finds unlike the speaker's persona. Default: off.
                         * @enum {string}
                         */
                        persona?: "off" | "warn" | "reject";
                    };
                    /** @description Checks of claims. Default: off. */
                    factCheck?: {
                        /**
                         * @description off; standard: false claims are marked; strict: a turn with a false claim is rejected. Default: standard.
                         * @enum {string}
                         */
                        mode?: "off" | "standard" | "strict";
                        /** @description The most claims of a turn, 1 to 5. Default: 5. */
                        maxClaims?: number;
                        /** @description The confidence from which a false claim rejects or interrupts a turn, 0 to 1. Default: 0.7. */
                        rejectFrom?: number;
                        /** @description The model that finds claims. Default: the checker's model. */
                        extractionModel?: string;
                        /** @description The model that weighs findings. Default: the convening's model. */
                        verificationModel?: string;
                        /**
                         * Format: uri
                         * @description A server of Tavily's search API. Default: TAVILY_BASE_URL, else Tavily's own.
                         */
                        searchUrl?: string;
                    };
                    /** @description The most milliseconds of one attempt at a turn. Default: none. */
                    turnMaxDuration?: number;
                    /**
                     * @description The check of the topic for abuse: by a list of words, by a provider, or none. Default: words.
                     * @enum {string}
                     */
                    topicCheck?: "words" | "provider" | "off";
                    /** @description Terms that a topic may not contain. Default: the built-in list of abuse in English. */
                    refusedTerms?: string[];
                    /** @description Templates by name, which replace the workflow's own. */
                    prompts?: {
                        [key: string]: string;
                    };
                    /** @description Prices that replace those of the built-in table. */
                    prices?: {
                        /**
                         * Format: date
                         * @description The day of the prices, such as 2026-11-01.
                         */
                        date: string;
                        /** @description Prices by model. */
                        models: {
                            [key: string]: {
                                /** @description US dollars for a million tokens of input. */
                                input: number;
                                /** @description US dollars for a million tokens of cached input. Default: input. */
                                cachedInput?: number;
                                /** @description US dollars for a million tokens written to the provider's cache. Default: input. */
                                cacheWrite?: number;
                                /** @description US dollars for a million tokens of output. */
                                output: number;
                            };
                        };
                    };
                    /** @description Whether maxCost allows models without a price, which count as free. Default: false. */
                    allowUnknownPrices?: boolean;
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. Default: 60000; totalTimeout for LM Studio, Ollama, llama.cpp, vLLM and models that reason. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. Default: 300000. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. Default: 4000000. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. Default: no end. */
                    personTimeout?: number;
                    /**
                     * @description Asks a third of the questions.
                     * @default false
                     */
                    quick?: boolean;
                };
            };
        };
        responses: {
            /** @description The convening runs, or is queued. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standing"];
                };
            };
            /** @description config_invalid, topic_refused, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_unwritable */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description Words to look for. */
                q: string;
                /** @description Only messages of the participant with this name or id. */
                speaker?: string;
                /** @description Only messages of this round; 0 for those outside of rounds. */
                round?: number;
                /** @description Only messages of this kind, such as rebuttal. */
                kind?: string;
                /** @description The most results. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Searches the messages of the whole archive by words, best first; asks no model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResults"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    topics: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the topics are about. */
                    subject: string;
                    /**
                     * @description How many topics at most.
                     * @default 8
                     */
                    count?: number;
                    /** @description Default: the subject's. */
                    language?: string;
                    /** @description Sent to the model. */
                    seed?: number;
                };
            };
        };
        responses: {
            /** @description Proposes debatable topics on a subject; asks a model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topics"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    show: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shows a convening: its state and its result, without long texts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Convening"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Moves a convening into the archive's trash; restore brings it back. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    messages: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                after?: number;
                /** @description The most messages of a page. */
                limit?: number;
                /** @description Only messages of the participant with this name or id. */
                speaker?: string;
                /** @description Only messages of this round; 0 for those outside of rounds. */
                round?: number;
                /** @description Only messages of this kind, such as rebuttal. */
                kind?: string;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads a page of the messages, by number; of a speaker, a round or a kind, if asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    message: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
                /** @description The message's number. */
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads one message, with its rejected attempts, its fact check, its evidence, facts of custom kinds and its scores. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageWithAttachments"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    scores: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                after?: number;
                /** @description The most messages of a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads a page of the scores, by the messages they are of, and every verdict. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScorePage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verdicts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads every verdict of the judges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdicts"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    claims: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                after?: number;
                /** @description The most messages of a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads a page of the fact checks, by the messages they check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimPage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    facts: {
        parameters: {
            query?: {
                /** @description Only facts of this kind. */
                kind?: string;
                /** @description `next` of the previous page. */
                offset?: number;
                /** @description The most facts of a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reads a page of the facts of kinds that a library adds, by message, kind and key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnFactPage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ask: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A question, or words to look for. */
                    question: string;
                    /** @description The most answers. Default: 5. */
                    limit?: number;
                    /** @description Only messages of the participant with this name or id. */
                    speaker?: string;
                    /** @description Only messages of this round; 0 for those outside of rounds. */
                    round?: number;
                    /** @description Only messages of this kind, such as rebuttal. */
                    kind?: string;
                    /** @description A model that answers from the messages; offline gives passages alone (default: none). */
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Finds the messages that have the words of a question; with `model` a model answers too, from the messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answers"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                offset?: number;
                /** @description The most findings. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Checks a convening's directory against the format: hashes, references, order, pages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The question of the debate. */
                    question?: string;
                    /** @description The number of the question to debate, from 1; or "ask", to have a person pick. */
                    pick?: number | "ask";
                    /**
                     * @description Passages of papers are found by words, by meaning, or by both.
                     * @enum {string}
                     */
                    retrieval?: "keyword" | "semantic" | "hybrid";
                    /** @description The model whose vectors find passages by meaning. */
                    embeddingModel?: string;
                    /** @description The model of every role that names none. */
                    model?: string;
                    /**
                     * @description The effort of hidden reasoning, mapped to the nearest below that a model takes.
                     * @enum {string}
                     */
                    reasoningEffort?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description Whether the models' hidden reasoning is kept under drafts/ and thoughts/, as far as providers give the text. */
                    keepReasoning?: boolean;
                    /** @description The most tokens of a reply, hidden reasoning included. */
                    maxOutputTokens?: number;
                    /** @description The model of the moderator. */
                    moderatorModel?: string;
                    /** @description Limits of the whole convening. */
                    limits?: {
                        /** @description The most turns, over the whole record. */
                        maxTurns?: number;
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description Formats of a whole transcript to write at the end. */
                    transcript?: ("md" | "json" | "txt" | "html" | "argdown")[];
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                    /** @description Milliseconds without a piece of an answer before a request fails. */
                    idleTimeout?: number;
                    /** @description The most milliseconds of a whole answer. */
                    totalTimeout?: number;
                    /** @description The most bytes of a reply; a longer reply fails as agent_bad_reply. */
                    maxReplyBytes?: number;
                    /** @description Milliseconds that a person has for a turn; then the run ends and waits on disk. 0: it waits on disk at once. */
                    personTimeout?: number;
                    /** @description Of a debate: one for all, or one each in order. */
                    advocateModels?: string[];
                    /** @description One judge each. */
                    judgeModels?: string[];
                };
            };
        };
        responses: {
            /** @description The convening had completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standing"];
                };
            };
            /** @description The convening runs, or is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standing"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    say: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is said, in markdown. */
                    text: string;
                    /** @description The id or name of the participant who speaks; needed if the convening waits for several. */
                    participant?: string;
                    /** @description The id of the answered request, as next_turn gives it. */
                    request?: string;
                    /** @description Whether the words come from the audience, before the next turn and outside of the turns. */
                    interject?: boolean;
                };
            };
        };
        responses: {
            /** @description The words are accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Said"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, turn_order */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    next_turn: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Seconds to wait for a request.
                     * @default 20
                     */
                    seconds?: number;
                };
            };
        };
        responses: {
            /** @description The open requests; none if the run has ended, or asks other models or people. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextTurn"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pause: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description No process runs the convening. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldStanding"];
                };
            };
            /** @description The current turns end first. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldStanding"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stop: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description No process runs the convening. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldStanding"];
                };
            };
            /** @description The convening stops. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldStanding"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fork: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The number of the last message to take over. */
                    at: number;
                    /** @description New words of that message. */
                    edit?: string;
                };
            };
        };
        responses: {
            /** @description The new convening. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fork"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt, record_unwritable */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Brings a deleted convening back from the archive's trash. */
            200: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restored"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_unwritable */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    judge: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description A built-in rubric's id, or a whole rubric. */
                    rubric?: string | {
                        [key: string]: unknown;
                    };
                    /** @description One judge each. */
                    models?: string[];
                    /** @description The temperature of judges, 0 to 2. */
                    temperature?: number;
                    /** @description Repeats of each pass of a verdict, to show how steady a judge is. */
                    verdictRepeats?: number;
                    /** @description Limits of the whole convening. */
                    limits?: {
                        /** @description The most tokens of all calls, over the whole record. */
                        maxTokens?: number;
                        /** @description The most US dollars, over the whole record. */
                        maxCost?: number;
                        /** @description The most milliseconds of this run. */
                        maxDuration?: number;
                    };
                    /** @description Retries of failed requests. */
                    retry?: {
                        /** @description Retries, 0 to 10; rate limits use none. */
                        retries?: number;
                        /** @description Milliseconds before the first retry. */
                        minWait?: number;
                        /** @description The most milliseconds between retries. */
                        maxWait?: number;
                        /** @description The most milliseconds that a provider may ask to wait; 0 fails at once. */
                        maxRetryAfter?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Has a new panel judge a convening that has ended; the earlier judgement stays. A judge whose reply cannot be read leaves its messages unscored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgedConvening"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_rate_limited, agent_unreachable */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    brief: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The form; adr is an architecture decision record, questions lists the open questions.
                     * @default memo
                     * @enum {string}
                     */
                    as?: "memo" | "adr" | "questions";
                    /** @description The model that writes; offline uses a template (default: the moderator's, else the convening's). */
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Writes a brief of a convening that has ended, for the person who decides: briefs/N.md and brief.md. Quotations are looked up in the messages, and numbers come from the record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenBrief"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    flow: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The note-taker's model (default: the moderator's, else the convening's). */
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Notes the points of a debate that has ended: flow/NNN.md, arguments.md and arguments.json, with the points that were answered, dropped and conceded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotedFlow"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_kinds: {
        parameters: {
            query?: {
                /** @description Only the kind of this name, with its whole schema. */
                kind?: string;
                /** @description Whether schemas have only the names of their keys; all whole ones have some 20,000 tokens. */
                keysOnly?: boolean;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists the kinds of convenings, each with the schema of its configuration, and the kinds of facts that the library adds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Kinds"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: {
                /** @description A model's name, with its prefix. */
                name?: string;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Shows the known model servers, those of the server's machine that answer, and what was learned from them; with a name, the profile of the model. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Models"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    paper_questions: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a paper that was posted. */
                    paperId: string;
                };
            };
        };
        responses: {
            /** @description Puts questions to a paper. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperQuestions"];
                };
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_refused, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    paper_postures: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of a paper that was posted. */
                    paperId: string;
                    /** @description The question, 10 to 1,000 characters. */
                    question: string;
                    /** @description The number of postures, each with a debater; 3 by default. */
                    numPostures?: number;
                };
            };
        };
        responses: {
            /** @description Finds postures and topics for a question. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperPostures"];
                };
            };
            /** @description config_invalid, paper_unreadable */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_auth, agent_rate_limited, agent_unreachable, agent_refused, agent_bad_reply */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description agent_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    plan_study: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Counts the convenings, calls and tokens of a study, and the most it can cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyForecast"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_studies: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                offset?: number;
                /** @description The most studies of a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists the studies of the archive by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyPage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    start_study: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The study runs. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Study"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    study: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the end of a run. */
                within?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gives the state of a study: what is done, what failed, cost, rate and time left. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Study"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    study_debates: {
        parameters: {
            query?: {
                /** @description `next` of the previous page. */
                offset?: number;
                /** @description The most convenings of a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lists the convenings of a study's plan, each with its status, code and winner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyDebatePage"];
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume_study: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The study runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Study"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stop_study: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The run ends at the next message. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Study"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retry_study: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The study runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Study"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken, locked */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    study_report: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Bootstrap samples for the intervals (default: the study's). */
                    bootstrap?: number;
                };
            };
        };
        responses: {
            /** @description Writes the report of a study, finished or not: leaderboard, diagnostics, ratings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyReport"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    export_study: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same request with the same key is done once and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The tables to write.
                     * @default [
                     *       "jsonl",
                     *       "judgements"
                     *     ]
                     */
                    formats?: ("jsonl" | "parquet" | "judgements" | "preferences" | "sft")[];
                    /** @description SPDX name of the licence (default: the study's). */
                    license?: string;
                    /**
                     * @description Whether an export without a licence is refused.
                     * @default false
                     */
                    forRelease?: boolean;
                    /**
                     * @description Whether sft has only chats of winners.
                     * @default false
                     */
                    winnersOnly?: boolean;
                    /**
                     * @description Contents to include that are otherwise left out.
                     * @default []
                     */
                    allow?: ("sources" | "papers" | "people")[];
                };
            };
        };
        responses: {
            /** @description Writes the data of a study's finished convenings, with a card and a manifest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyExport"];
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description key_reused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description The number of the last event that is known. */
                after?: number;
            };
            header?: {
                /** @description The id of the last event that is known; takes precedence over `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until the run ends. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The convening has completed, and no event follows. A stopped or failed one may be resumed: its stream ends at once, and a client that reconnects follows the resume. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archive_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until the client leaves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    study_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until the run ends. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    study_file: {
        parameters: {
            query: {
                /** @description The file's path in the study's folder, as report and export give it. */
                path: string;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The study's id, as list_studies has it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                    "text/html": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    socket: {
        parameters: {
            query?: {
                /** @description The number of the last event that is known. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The socket; it is closed with 1000 once the convening has ended. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    file: {
        parameters: {
            query: {
                /** @description The file's path in the directory, as `file` of a message has it. */
                path: string;
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                    "text/html": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    file_at: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
                /** @description The file's path. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, with an ETag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                    "text/html": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    export: {
        parameters: {
            query?: {
                /** @description The transcript's form. */
                format?: "md" | "json" | "txt" | "html" | "argdown";
            };
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The convening's id, as list gives it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript; browsers show it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                    "text/html": string;
                };
            };
            /** @description Unchanged since the answer whose ETag is in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description config_invalid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description record_corrupt */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description An answer of JSON-RPC. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The notification was accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not a JSON-RPC message. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Accept does not list both application/json and text/event-stream. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description too_many_tries */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unexpected; too_slow, as 408 */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
export interface Called {
    start: paths["/api/convenings"]["post"];
    list: paths["/api/convenings"]["get"];
    show: paths["/api/convenings/{id}"]["get"];
    messages: paths["/api/convenings/{id}/messages"]["get"];
    message: paths["/api/convenings/{id}/messages/{seq}"]["get"];
    scores: paths["/api/convenings/{id}/scores"]["get"];
    verdicts: paths["/api/convenings/{id}/verdicts"]["get"];
    claims: paths["/api/convenings/{id}/claims"]["get"];
    facts: paths["/api/convenings/{id}/facts"]["get"];
    ask: paths["/api/convenings/{id}/ask"]["post"];
    verify: paths["/api/convenings/{id}/verify"]["get"];
    resume: paths["/api/convenings/{id}/resume"]["post"];
    say: paths["/api/convenings/{id}/say"]["post"];
    nextTurn: paths["/api/convenings/{id}/next-turn"]["post"];
    pause: paths["/api/convenings/{id}/pause"]["post"];
    stop: paths["/api/convenings/{id}/stop"]["post"];
    fork: paths["/api/convenings/{id}/fork"]["post"];
    delete: paths["/api/convenings/{id}"]["delete"];
    restore: paths["/api/convenings/{id}/restore"]["post"];
    judge: paths["/api/convenings/{id}/judge"]["post"];
    brief: paths["/api/convenings/{id}/brief"]["post"];
    flow: paths["/api/convenings/{id}/flow"]["post"];
    search: paths["/api/search"]["get"];
    topics: paths["/api/topics"]["post"];
    listKinds: paths["/api/kinds"]["get"];
    models: paths["/api/models"]["get"];
    listPapers: paths["/api/papers"]["get"];
    readPaper: paths["/api/papers/{id}"]["get"];
    keepPaper: paths["/api/papers"]["post"];
    removePaper: paths["/api/papers/{id}"]["delete"];
    questions: paths["/api/mas-debate/questions"]["post"];
    postures: paths["/api/mas-debate/postures"]["post"];
    run: paths["/api/mas-debate/run"]["post"];
    runComplete: paths["/api/mas-debate/run-complete"]["post"];
    startStudy: paths["/api/studies"]["post"];
    listStudies: paths["/api/studies"]["get"];
    study: paths["/api/studies/{id}"]["get"];
    studyDebates: paths["/api/studies/{id}/debates"]["get"];
    resumeStudy: paths["/api/studies/{id}/run"]["post"];
    stopStudy: paths["/api/studies/{id}/stop"]["post"];
    retryStudy: paths["/api/studies/{id}/retry"]["post"];
    reportStudy: paths["/api/studies/{id}/report"]["post"];
    exportStudy: paths["/api/studies/{id}/export"]["post"];
    planStudy: paths["/api/study-plans"]["post"];
    studyFile: paths["/api/studies/{id}/files"]["get"];
    file: paths["/api/convenings/{id}/files"]["get"];
    export: paths["/api/convenings/{id}/export"]["get"];
    describe: paths["/api/openapi.json"]["get"];
    health: paths["/healthz"]["get"];
}
