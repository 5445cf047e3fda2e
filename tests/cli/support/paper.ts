// Short paper in markdown for tests of paper debates.
export const PAPER = `# Street trees and summer heat in two districts

## Abstract

We measured air temperature in two districts of a mid-sized city over two summers. Streets with a closed canopy were 2.1 degrees cooler at noon than streets without trees. The effect was smaller at night, and it depended on how much water the soil held.

## Methods

We placed forty sensors in two districts. Each sensor stood in the shade of a lamp post and recorded air temperature every ten minutes. Canopy was measured from photographs taken at noon. The streets were not chosen at random: we took those whose residents agreed.

## Results

At noon the mean difference was 2.1 degrees in the first summer and 1.4 degrees in the second, which was dry. Where soil moisture fell below 12 percent, the cooling at noon was no more than 0.6 degrees. Young trees cooled nothing that we could measure.

## Discussion

The results agree with the view that shade explains most of the cooling at noon and evaporation the rest. Dense canopy may keep warm air in the street at night. A city that plants trees and does not water them should expect little in the first ten years. We do not know how far the results carry to dry regions.
`;
