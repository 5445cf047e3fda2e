// Facts of a program's own kinds, and questions of any key: recorded once, read, verified, resumed and forked.
import assert from "node:assert/strict";
import { z } from "zod";
import { type Convening, defineFact, DialogueWorkflow, type Observer } from "../../mod.ts";
